// Counts the tokens of each text of a JSON list, with the encoding of current models (o200k_base).
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

let text = '';
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map((t) => countTokens(t))));
