#!/usr/bin/env node
// The command of the installed package. Its syntax is that of the oldest Node that may find it: one that is too old
// for leap says so, instead of a syntax error from its sources.
"use strict"

var have = process.versions.node.split(".").map(Number)

if (have[0] < 22 || (have[0] === 22 && have[1] < 19)) {
  process.stderr.write(
    "leap needs Node 22.19 or newer; this is " + process.versions.node + " (" + process.execPath + ")\n"
  )
  process.exitCode = 1
} else {
  require("../program/leap.js")
}
