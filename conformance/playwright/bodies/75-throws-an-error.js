// page: frame.html
console.log('before');
throw new Error('stopped here');
