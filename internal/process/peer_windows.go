package process

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getExtendedTCPTable = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")

// peer reads the system's table of connections, which names their processes.
func peer(remote, local netip.AddrPort) int {
	const connections = 4 // TCP_TABLE_OWNER_PID_CONNECTIONS
	family, row, theirs, ours, owner := uintptr(windows.AF_INET), 24, 4, 12, 20
	if remote.Addr().Is6() {
		family, row, theirs, ours, owner = windows.AF_INET6, 56, 0, 24, 52
	}
	size := uint32(64 << 10)
	for range 5 {
		table := make([]byte, size)
		code, _, _ := getExtendedTCPTable.Call(uintptr(unsafe.Pointer(&table[0])), uintptr(unsafe.Pointer(&size)), 0,
			family, connections, 0)
		if code == uintptr(windows.ERROR_INSUFFICIENT_BUFFER) {
			continue
		}
		if code != 0 {
			return 0
		}
		n := int(binary.LittleEndian.Uint32(table))
		for i := range n {
			at := 4 + i*row
			if at+row > len(table) {
				break
			}
			if r := table[at : at+row]; addressIn(r[theirs:], remote.Addr()) == remote &&
				addressIn(r[ours:], remote.Addr()) == local {
				return int(binary.LittleEndian.Uint32(r[owner:]))
			}
		}
		return 0
	}
	return 0
}

// addressIn reads an address of a row: four bytes and a port, or sixteen bytes, a scope and a port. The port is in
// network byte order.
func addressIn(raw []byte, like netip.Addr) netip.AddrPort {
	if like.Is4() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(raw)), binary.BigEndian.Uint16(raw[4:]))
	}
	return netip.AddrPortFrom(netip.AddrFrom16([16]byte(raw)), binary.BigEndian.Uint16(raw[20:]))
}
