package process

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// peer finds the socket in the kernel's table, then the process that has it open.
func peer(remote, local netip.AddrPort) int {
	inode := socketInode("/proc/net/tcp", tableAddress(remote, false), tableAddress(local, false))
	if inode == "" { // an IPv4 connection of an IPv6 socket is in the other table
		inode = socketInode("/proc/net/tcp6", tableAddress(remote, true), tableAddress(local, true))
	}
	if inode == "" || inode == "0" {
		return 0
	}
	return socketOwner("socket:[" + inode + "]")
}

// tableAddress writes an address as the kernel's table does: each group of four bytes in the machine's order.
func tableAddress(a netip.AddrPort, six bool) string {
	var raw []byte
	if a.Addr().Is4() && !six {
		b := a.Addr().As4()
		raw = b[:]
	} else {
		b := a.Addr().As16()
		raw = b[:]
	}
	swapped := make([]byte, len(raw))
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(swapped[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	return fmt.Sprintf("%s:%04X", strings.ToUpper(hex.EncodeToString(swapped)), a.Port())
}

func socketInode(table, theirs, ours string) string {
	f, err := os.Open(table)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && fields[1] == theirs && fields[2] == ours {
			return fields[9]
		}
	}
	return ""
}

// socketOwner returns the process with the highest number that has the socket open: a child that inherited the socket
// is more likely to use it than its parent.
func socketOwner(link string) (pid int) {
	all, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer func() { _ = all.Close() }()
	names, _ := all.Readdirnames(-1)
	for _, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n <= pid {
			continue
		}
		if hasOpen("/proc/"+name+"/fd", link) {
			pid = n
		}
	}
	return pid
}

func hasOpen(dir, link string) bool {
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer func() { _ = d.Close() }()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if to, err := os.Readlink(dir + "/" + name); err == nil && to == link {
			return true
		}
	}
	return false
}
