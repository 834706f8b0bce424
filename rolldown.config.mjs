import { defineConfig } from "rolldown"

/** One entry; what it imports dynamically becomes a chunk of its own, loaded only when asked for. */
export default defineConfig({
  input: { leap: "src/bin.ts" },
  platform: "node",
  // A native addon with a binary for each platform: installed, never bundled.
  external: ["node-pty"],
  // jsonc-parser's CommonJS build looks for its parts at run time, where no bundle can have them.
  resolve: { mainFields: ["module", "main"] },
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // What several parts share is one file: each file more costs the start of every command.
    codeSplitting: { groups: [{ name: "common", test: /src\/(domain|services)\//, minShareCount: 2 }] }
  }
})
