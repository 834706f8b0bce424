// Apart from leap.cjs, because older Nodes cannot read the import.
"use strict"
void import("../program/leap.js")
