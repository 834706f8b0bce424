import { assert, describe, it } from "@effect/vitest"
import { maskSecrets } from "../../../../src/domain/words/text/Secrets.ts"

const fake = "abcdefghijklmnopqrstuvwxyz0123456789"
const rows: ReadonlyArray<readonly [text: string, masked: string]> = [
  ["gh auth --token=abc123 x", "gh auth --token=*** x"],
  ["x --token abc123 y", "x --token *** y"],
  ["x --token 'abc 123' y", "x --token '***' y"],
  ['x --password="a \\" b" y', 'x --password="***" y'],
  ["x --api-key abc", "x --api-key ***"],
  ["x --client-secret=abc,def", "x --client-secret=***,def"],
  ["x --token --verbose", "x --token --verbose"],
  ["curl -H 'Authorization: Bearer abc.def-123'", "curl -H 'Authorization: Bearer ***'"],
  ['curl -H "Authorization: Basic dXNlcjpwYXNz" u', 'curl -H "Authorization: Basic ***" u'],
  ["curl -H 'authorization: token abc'", "curl -H 'authorization: token ***'"],
  ["curl -H 'Authorization: abc'", "curl -H 'Authorization: ***'"],
  ["curl -H 'X-Api-Key: abc' u", "curl -H 'X-Api-Key: ***' u"],
  ["curl -H 'Private-Token: abc' u", "curl -H 'Private-Token: ***' u"],
  ["curl -H 'Cookie: a=b; c=d' u", "curl -H 'Cookie: ***' u"],
  ["API_KEY=abc cmd", "API_KEY=*** cmd"],
  ["export AWS_SECRET_ACCESS_KEY='abc/def+1'", "export AWS_SECRET_ACCESS_KEY='***'"],
  ['MY_DB_PASSWORD="p w" x', 'MY_DB_PASSWORD="***" x'],
  ["NPM_TOKEN=abc; ls", "NPM_TOKEN=***; ls"],
  ["TOKEN=$OTHER cmd", "TOKEN=$OTHER cmd"],
  ['--token "${TOKEN}" x', '--token "${TOKEN}" x'],
  ["TOKEN=$(cat f) cmd", "TOKEN=$(cat f) cmd"],
  ['{"password": "abc", "user": "me"}', '{"password": "***", "user": "me"}'],
  ['{"apiKey":"abc"}', '{"apiKey":"***"}'],
  ["password: abc", "password: ***"],
  ["git clone https://me:s3cret@example.com/x", "git clone https://me:***@example.com/x"],
  ["git clone https://abc123@example.com/x", "git clone https://***@example.com/x"],
  ["psql postgres://u:p%40ss@db/x?a=b", "psql postgres://u:***@db/x?a=b"],
  ["redis://:pw@host", "redis://:***@host"],
  ["https://x.example/?token=abc&b=c", "https://x.example/?token=***&b=c"],
  ["https://x.example/?access_token=abc#d", "https://x.example/?access_token=***"],
  ["https://s3/x?X-Amz-Signature=abc&y=1", "https://s3/x?X-Amz-Signature=***&y=1"],
  ["curl -u me:s3cret https://x", "curl -u me:*** https://x"],
  ["curl --user 'me:s3cret' https://x", "curl --user 'me:***' https://x"],
  ["mysql -uroot -ps3cret db", "mysql -uroot -p*** db"],
  ["sshpass -p s3cret ssh x", "sshpass -p *** ssh x"],
  [`echo sk-ant-${fake}`, "echo ***"],
  [`echo ghp_${fake}`, "echo ***"],
  [`echo github_pat_${fake}`, "echo ***"],
  [`echo glpat-${fake}`, "echo ***"],
  ["echo xoxb-1234567890-abc", "echo ***"],
  ["echo AKIAABCDEFGHIJKLMNOP", "echo ***"],
  [`echo AIza${fake}`, "echo ***"],
  ["echo eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl", "echo ***"],
  [
    "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx",
    "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nx"
  ],
  ["-----BEGIN PRIVATE KEY-----\nabc", "-----BEGIN PRIVATE KEY-----***"],
  // what is none
  ["npm test --tokenizer=x", "npm test --tokenizer=x"],
  ["cat src/token.ts", "cat src/token.ts"],
  ["git commit -m 'mask the token of users'", "git commit -m 'mask the token of users'"],
  ["ls -p x", "ls -p x"],
  ["https://example.com/a:b@c", "https://example.com/a:b@c"],
  ["git clone git@github.com:a/b.git", "git clone git@github.com:a/b.git"],
  ["author=me", "author=me"],
  ["rm -rf build && npm run build", "rm -rf build && npm run build"]
]

describe("secrets", () => {
  it.each(rows.map(([text, masked]) => ({ text, masked })))("$text", ({ masked, text }) => {
    assert.strictEqual(maskSecrets(text), masked)
    assert.strictEqual(maskSecrets(masked), masked)
  })

  it("takes long texts, too", () => {
    for (const piece of [
      "a",
      "token=",
      "token ",
      "--token ",
      "'",
      "https://a:",
      "-----BEGIN PRIVATE KEY-----",
      "eyJ",
      "a_",
      "mysql ",
      "a:"
    ]) {
      assert.isString(maskSecrets(piece.repeat(Math.ceil(20_000 / piece.length))))
    }
  })
})
