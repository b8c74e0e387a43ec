package process

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
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
// is more likely to use it than its parent. A child that is about to run another program does not count: for a moment
// it has all that its parent has.
func socketOwner(link string) int {
	all, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer func() { _ = all.Close() }()
	names, _ := all.Readdirnames(-1)
	closes := map[int]bool{} // by the processes that have it: whether it closes when they run another program
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if fd := descriptor("/proc/"+name+"/fd", link); fd != "" {
				closes[pid] = closesOnExec("/proc/" + name + "/fdinfo/" + fd)
			}
		}
	}
	for _, pid := range slices.Backward(slices.Sorted(maps.Keys(closes))) {
		info, alive := Lookup(pid)
		if _, inherited := closes[info.Parent]; alive && (!inherited || !closes[pid]) {
			return pid
		}
	}
	return 0
}

// descriptor returns the number of what a process has open, and "" if it has not.
func descriptor(dir, link string) string {
	d, err := os.Open(dir)
	if err != nil {
		return ""
	}
	defer func() { _ = d.Close() }()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if to, err := os.Readlink(dir + "/" + name); err == nil && to == link {
			return name
		}
	}
	return ""
}

// closesOnExec reads the flags of a descriptor. One that is gone has closed.
func closesOnExec(file string) bool {
	raw, err := os.ReadFile(file)
	if err != nil {
		return true
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, "flags:"); ok {
			flags, err := strconv.ParseUint(strings.TrimSpace(value), 8, 64)
			return err == nil && flags&syscall.O_CLOEXEC != 0
		}
	}
	return false
}
