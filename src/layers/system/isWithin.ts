import { BlockList, isIP } from "node:net"

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Whether an address is one of a network. */
export const isWithin = (address: string, network: string, bits: number): boolean => {
  const family = familyOf(network)
  if (isIP(address) === 0 || isIP(network) === 0 || bits > (family === "ipv6" ? 128 : 32)) return false
  const networks = new BlockList()
  networks.addSubnet(network, bits, family)
  return networks.check(address, familyOf(address))
}
