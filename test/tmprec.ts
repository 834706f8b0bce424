import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as ScreenXterm from "../src/layers/ScreenXterm.ts"
import { Screen } from "../src/services/Screen.ts"
import * as OutputScanner from "../src/domain/OutputScanner.ts"
import * as InputBytes from "../src/domain/InputBytes.ts"
import * as TM from "../src/domain/TerminalModes.ts"
import { toLatin1 } from "../src/domain/Bytes.ts"
const root = "/work/shared/lab/recordings"
const enc = new TextEncoder()
let files = 0, checks = 0, bad = 0
const queries = new Map<string, number>(), inputs = new Map<string, number>(), dec = new Map<number, number>(), unknownReports: string[] = []
await Effect.runPromise(Effect.gen(function*(){
  for (const cli of fs.readdirSync(root)) {
    const list = fs.readdirSync(path.join(root, cli)).filter(f=>f.endsWith(".cast"))
    for (const f of list.filter((_, i) => i % 6 === 0)) {
      files++
      const lines = fs.readFileSync(path.join(root, cli, f), "utf8").trim().split("\n").map(l => JSON.parse(l))
      const h = lines[0]
      yield* Effect.scoped(Effect.gen(function*(){
        const make = (yield* Screen).make
        const size = {cols: h.width, rows: h.height, scrollback: 1000}
        const s = yield* make(size)
        let cols=h.width, rows=h.height
        let scan = OutputScanner.start, inp = InputBytes.start
        let n = 0
        const outs = lines.slice(1)
        for (const [t, code, data] of outs) {
          if (code === "o") {
            const b = enc.encode(data); s.feed(b)
            const r = OutputScanner.scan(scan, toLatin1(b)); scan = r.state
            for (const seg of r.segments) {
              if (seg._tag === "Query") queries.set(JSON.stringify(seg.data), (queries.get(JSON.stringify(seg.data)) ?? 0) + 1)
              if (seg._tag === "Report" && seg.report === null) unknownReports.push(seg.data)
            }
            if (++n % 60 === 0 || n === 5) {
              checks++
              const c = yield* make({cols, rows, scrollback: 1000})
              const p = s.repaint(); c.feed(enc.encode(p))
              const same = JSON.stringify(c.view()) === JSON.stringify(s.view()) && c.repaint() === p
              if (!same) { bad++; if (bad < 4) { console.log("DIFF", cli, f, t); const a = s.view().lines, d = c.view().lines; a.forEach((l,i)=>{ if (l!==d[i]) console.log(i, JSON.stringify(l), JSON.stringify(d[i])) }); console.log(JSON.stringify(s.view().cursor), JSON.stringify(c.view().cursor), s.view().title === c.view().title); const q=c.repaint(); let k=0; while(k<p.length && p[k]===q[k])k++; console.log(JSON.stringify(p.slice(k-60,k+80))); console.log(JSON.stringify(q.slice(k-60,k+80))) } }
            }
          } else if (code === "i") {
            const r = InputBytes.classify(inp, toLatin1(enc.encode(data)), t*1000); inp = r.state
            for (const p of r.parts) { const k = (p._tag==="Keys"?p.kind:p._tag) + " " + JSON.stringify(p.data.length > 20 ? p.data.slice(0,20)+"…" : p.data); if (p._tag !== "Keys" || p.kind !== "text") inputs.set(k, (inputs.get(k)??0)+1) }
          } else if (code === "r") { const [c, r] = data.split("x").map(Number); cols=c; rows=r; s.resize(c, r) }
        }
        for (const m of s.modes().dec) dec.set(m, (dec.get(m)??0)+1)
      }))
    }
  }
}).pipe(Effect.provide(ScreenXterm.layer)))
console.log({files, checks, bad})
console.log([...queries].sort((a,b)=>b[1]-a[1]).slice(0,40))
console.log([...inputs].sort((a,b)=>b[1]-a[1]).slice(0,60))
console.log("dec left", [...dec], "null reports", unknownReports.slice(0,5))
