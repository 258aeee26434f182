// page: frame.html
return { date: new Date(0), map: new Map([[1, 2]]), nan: NaN, nothing: undefined, call() {}, nested: [undefined, Infinity] };
