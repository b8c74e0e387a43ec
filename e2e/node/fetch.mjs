// Node's own fetch: prints the status and the body. node fetch.mjs ADDRESS
const r = await fetch(process.argv[2]);
console.log(`${await r.text()}\n${r.status}`);
