// page: frame.html
const cycle = {};
cycle.self = cycle;
return cycle;
