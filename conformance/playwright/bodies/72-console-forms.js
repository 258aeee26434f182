// page: frame.html
console.log('text', 1, { a: [1, null] }, undefined, null, new Error('e'), [1, 2], true);
console.info('');
console.warn('careful');
console.error('bad', { code: 1 });
console.debug(new Date(0), new Map([[1, 2]]));
const cycle = {};
cycle.self = cycle;
console.log(cycle);
