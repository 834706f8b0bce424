import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import type { Review } from "./Review.tsx"

/** The view of changes, a file of its own: most sessions are looked at without it. A text says why it is not there. */
const view = signal<typeof Review | string>("…")

const load = async (): Promise<void> => {
  try {
    view.value = (await import("./Review.tsx")).Review
  } catch {
    view.value = "this part of the page could not be loaded: reload it"
  }
}

/** What a session has changed, in the place of all else. */
export const Changes = ({ session }: { readonly session: WebSession }) => {
  useEffect(() => {
    if (typeof view.value === "string") void load()
    const before = scrollY
    scrollTo(0, 0)
    return () => scrollTo(0, before)
  }, [])
  const View = view.value
  return typeof View === "string" ? <p>{View}</p> : <View session={session} />
}
