package chromium

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADisplayIsThereOnlyIfItAnswers(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if HasDisplay() {
		t.Error("no display is named, and one was found")
	}
	t.Setenv("DISPLAY", ":64123")
	if HasDisplay() {
		t.Error("nobody listens, and a display was found")
	}
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("WAYLAND_DISPLAY", "wayland-7")
	if HasDisplay() {
		t.Error("nobody listens at the Wayland socket, and a display was found")
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", filepath.Join(dir, "wayland-7"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if !HasDisplay() {
		t.Error("the Wayland socket answers, and no display was found")
	}
	if name := Display(); !strings.Contains(name, fmt.Sprintf("wayland-7 of process %d", os.Getpid())) {
		t.Errorf("the display is %q", name)
	}
}

func TestX11Addresses(t *testing.T) {
	local := []address{{"unix", "@/tmp/.X11-unix/X12"}, {"unix", "/tmp/.X11-unix/X12"}}
	for display, want := range map[string][]address{
		"": nil, "nonsense": nil, ":x": nil, ":99999999": nil,
		":12": local, ":12.0": local, "unix:12": local,
		"localhost:10.0": {{"tcp", "localhost:6010"}}, "[::1]:1": {{"tcp", "[::1]:6001"}},
	} {
		if diff := cmp.Diff(want, x11Addresses(display), cmp.AllowUnexported(address{})); diff != "" {
			t.Errorf("%q: %s", display, diff)
		}
	}
}
