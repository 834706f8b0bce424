import type { ViewerFrame } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import { toBase64, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { AttachFrame } from "../../services/HostRpc.ts"

export const attachFrame = (frame: ViewerFrame): AttachFrame => {
  switch (frame._tag) {
    case "Repaint":
      return AttachFrame.cases.Repaint.make({
        data: toBase64(toLatin1(frame.data)),
        ...(frame.reserved > 0 ? { reserved: frame.reserved } : {})
      })
    case "Output":
      return AttachFrame.cases.Output.make({ data: toBase64(toLatin1(frame.data)) })
    case "Notice":
      return AttachFrame.cases.Notice.make({ notice: frame.notice })
    case "Exited":
      return AttachFrame.cases.Exited.make({ exit: frame.exit })
  }
}
