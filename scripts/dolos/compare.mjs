// Compares Python files with Dolos: node compare.mjs REPORT FILE...  What it finds is in REPORT/pairs.csv, most alike first.
//
// package.json puts the parser of Python, ready-made, in the place of Dolos' parsers of twenty languages, which would have
// to be compiled; Dolos finds it by its name.

import { writeFile } from "node:fs/promises";
import path from "node:path";

import { Dolos, LanguagePicker, readPath } from "@dodona/dolos-lib";

const stop = why => {
    console.error(`dolos: ${why}`);
    process.exit(1);
};
const [report, ...names] = process.argv.slice(2);
const tokenizer = await (await new LanguagePicker().findLanguage("python")).createTokenizer({ includeComments: false });
const files = [];
for (const name of names) {
    try {
        const file = (await readPath(name)).ok();
        tokenizer.tokenizeFile(file);
        files.push(file);
    } catch (problem) { // what one student wrote stops nobody's comparison
        console.error(`dolos: ${name} is left out: ${problem.message}`);
    }
}
if (files.length < 2) stop("there are no two files to compare.");
const compared = await new Dolos({ language: "python" }).analyze(files);
const alike = compared.allPairs().filter(pair => pair.similarity > 0).sort((a, b) => b.similarity - a.similarity);
const rows = alike.map(pair => [
    pair.leftFile.path, pair.rightFile.path, pair.similarity.toFixed(3), pair.longest, pair.overlap,
]);
const cell = value => `"${String(value).replaceAll('"', '""')}"`;
const table = [["left", "right", "similarity", "longest", "overlap"], ...rows];
await writeFile(path.join(report, "pairs.csv"), table.map(row => row.map(cell).join(",") + "\n").join(""));
console.log(`Dolos: ${rows.length} of ${(files.length * (files.length - 1)) / 2} pairs have something in common.`);
