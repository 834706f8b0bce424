import { assert, describe, it } from "@effect/vitest"
import { hostsIn, isNetwork } from "../../../../src/domain/cli/headless/Network.ts"

describe("what tools may reach", () => {
  it.each<readonly [string, ReadonlyArray<string> | null]>([
    ["none", []],
    ["any", null],
    [" NONE ", []],
    ["example.com", ["example.com"]],
    ["example.com, *.Example.org,localhost:8080", ["example.com", "*.example.org", "localhost:8080"]],
    ["[::1]:80,10.0.0.7", ["[::1]:80", "10.0.0.7"]],
    ["xn--mnchen-3ya.de,my_host", ["xn--mnchen-3ya.de", "my_host"]]
  ])("%o", (network, hosts) => {
    assert.isTrue(isNetwork(network))
    assert.deepStrictEqual(hostsIn(network), hosts)
  })

  it.each([
    "",
    ",",
    "none,example.com",
    "any,none",
    "https://example.com",
    "example.com/path",
    "*",
    "*.",
    "**.example.com",
    "ex*ample.com",
    "user@example.com",
    "example.com:",
    "example.com:80:80",
    "example.com:123456",
    "example..com",
    "münchen.de",
    "a b",
    "{a,b}.com"
  ])("%o is no such word", (network) => assert.isFalse(isNetwork(network)))
})
