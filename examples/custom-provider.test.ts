// The suite that leap's own providers pass, on the one of custom-provider.ts: screens of any bytes, texts of any shape.
// Run it with vitest and @effect/vitest.
import { suite } from "leap/testing/suite"
import { parrot } from "./custom-provider.ts"

suite(parrot, {
  screens: [
    ["  this is parrot", "parrot> "],
    ["  this is parrot", "  hello? hello!", "parrot> and then"],
    ["  this is parrot", "parrot: thinking"]
  ]
})
