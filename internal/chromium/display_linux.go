package chromium

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// HasDisplay reports whether a window can be shown: the environment names a display, and the display answers. A name
// that a closed ssh session or a dead Xvfb left behind would end the browser right after its start.
func HasDisplay() bool {
	wayland := waylandAddress(os.Getenv("WAYLAND_DISPLAY"), os.Getenv("XDG_RUNTIME_DIR"))
	return answers(wayland) || answers(x11Addresses(os.Getenv("DISPLAY")))
}

// address is where a display listens.
type address struct{ network, name string }

func answers(at []address) bool {
	d := net.Dialer{Timeout: 2 * time.Second}
	for _, a := range at {
		if c, err := d.DialContext(context.Background(), a.network, a.name); err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
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
