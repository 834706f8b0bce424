import { brotliDecompressSync } from "node:zlib"
import { packed } from "leap:page"
import type { PageFile } from "../../services/WebListener.ts"

interface PackedFile {
  readonly type: string
  readonly body: string
  readonly base64: boolean
}

const files = JSON.parse(brotliDecompressSync(Buffer.from(packed, "base64")).toString("utf8")) as ReadonlyArray<
  readonly [string, PackedFile]
>

export const page: ReadonlyMap<string, PageFile> = new Map(
  files.map(([path, { base64, body, type }]) => [path, { type, body: base64 ? Buffer.from(body, "base64") : body }])
)
