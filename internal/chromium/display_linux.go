package chromium

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Display names the display that can show a window: the environment names its address, and it answers there. A name
// that a closed ssh session or a dead Xvfb left behind would end the browser right after its start. The next display at
// an address is another one. "" stands for none.
func Display() string {
	wayland := waylandAddress(os.Getenv("WAYLAND_DISPLAY"), os.Getenv("XDG_RUNTIME_DIR"))
	for _, a := range append(wayland, x11Addresses(os.Getenv("DISPLAY"))...) {
		if pid, ok := a.listener(); ok {
			return fmt.Sprintf("%s of process %d", a.name, pid)
		}
	}
	return ""
}

// address is where a display listens.
type address struct{ network, name string }

// listener returns the process that listens at an address of this machine; 0 for one that cannot be known.
func (a address) listener() (pid int32, ok bool) {
	d := net.Dialer{Timeout: 2 * time.Second}
	c, err := d.DialContext(context.Background(), a.network, a.name)
	if err != nil {
		return 0, false
	}
	defer func() { _ = c.Close() }()
	local, isLocal := c.(*net.UnixConn)
	if !isLocal {
		return 0, true
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return 0, true
	}
	_ = raw.Control(func(fd uintptr) {
		if who, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			pid = who.Pid
		}
	})
	return pid, true
}

func waylandAddress(name, runtime string) []address {
	switch {
	case name == "":
		return nil
	case !filepath.IsAbs(name):
		name = filepath.Join(runtime, name)
	}
	return []address{{"unix", name}}
}

// x11Addresses reads host:number.screen. A local display listens on an abstract socket, on one in the file system, or
// on both.
func x11Addresses(display string) []address {
	colon := strings.LastIndexByte(display, ':')
	if colon < 0 {
		return nil
	}
	host, text := display[:colon], display[colon+1:]
	text, _, _ = strings.Cut(text, ".")
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil
	}
	if host == "" || host == "unix" {
		path := "/tmp/.X11-unix/X" + text
		return []address{{"unix", "@" + path}, {"unix", path}}
	}
	return []address{{"tcp", net.JoinHostPort(strings.Trim(host, "[]"), strconv.FormatUint(6000+number, 10))}}
}
