import type { PickRow } from "../../../src/domain/surfaces/picker/Rows.ts"

export const home = "/home/ada"

const clis = [
  ["alpha", "Alpha Code"],
  ["beta", "Beta"],
  ["gamma", "Gamma Command Line of Many Words"]
] as const
const tags = ["api", "web-frontend", "docs", "a-tag-that-is-much-longer-than-most-others-are", "Zürich-名前", "leap"]
const places = [
  "work/leap",
  "work/api server",
  "src/日本語/プロジェクト",
  "a/very/deep/directory/that/goes/on/and/on/until/it/fits/no/line",
  "play 🚀",
  "work/web"
]

/** As many rows as wanted, of all kinds, the first one the newest. */
export const manyRows = (count: number, now: number): ReadonlyArray<PickRow> =>
  Array.from({ length: count }, (_, i): PickRow => {
    const [cli, displayName] = clis[i % clis.length] ?? clis[0]
    return {
      tag: i < tags.length ? (tags[i] ?? "") : `${tags[i % tags.length]}-${Math.floor(i / 12)}`,
      cli,
      displayName,
      sessionId: `${((i * 2654435761) % 4294967296).toString(16).padStart(8, "0")}-0000-4000-8000-${String(i).padStart(12, "0")}`,
      cwd: i % 7 === 6 ? "/srv/other" : `${home}/${places[i % places.length]}`,
      lastSeen: i === count - 1 && count > 3 ? 0 : now - i * i * 7000,
      bytes: i % 5 === 4 ? null : 700 * (i + 1) ** 3,
      liveAs: i === 1 ? "web-frontend" : i === 2 ? "docs2" : null,
      missing: i % 11 === 5
    }
  })
