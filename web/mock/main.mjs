// npm run mock [big]: the stand-in server on port 8787, over the bakery or over the big picture.
import { bakery } from './bakery.mjs';
import { big } from './big.mjs';
import { start } from './server.mjs';

await start(process.argv[2] === 'big' ? big() : bakery(), { port: 8787 });
console.log('http://127.0.0.1:8787');
