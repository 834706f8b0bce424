import { brotliDecompressSync } from "node:zlib"
import { packed } from "leap:page"
import type { PageFile } from "../../services/WebListener.ts"

export const page: ReadonlyMap<string, PageFile> = new Map(
  JSON.parse(brotliDecompressSync(Buffer.from(packed, "base64")).toString("utf8")) as ReadonlyArray<[string, PageFile]>
)
