import { useEffect } from "preact/hooks"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { later } from "./later.ts"

const useReview = later(async () => (await import("./Review.tsx")).Review)

/** What a session has changed, in the place of all else. */
export const Changes = ({ session }: { readonly session: WebSession }) => {
  const View = useReview()
  useEffect(() => {
    const before = scrollY
    scrollTo(0, 0)
    return () => scrollTo(0, before)
  }, [])
  return typeof View === "string" ? <p>{View}</p> : <View session={session} />
}
