//go:build e2e

package harness

import (
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Person is somebody with a browser of their own, outside Cove, on a display of its own. The box that lets programs ask
// for a connection is ticked.
type Person struct {
	T       *testing.T
	DataDir string
	display string
	screen  string // the file with what the display shows
	process *os.Process
	gone    chan struct{} // closed when the process has ended
	windows []string      // of the X server; each stands beside the one before
}

// windowWidth is how wide a window is.
const windowWidth = 1050

// NewPerson starts the browser. Its pages are white, by which Person sees whether it asks something.
func NewPerson(t *testing.T, args ...string) *Person {
	t.Helper()
	p := &Person{T: t, DataDir: t.TempDir()}
	frame := t.TempDir()
	x, display, err := NewX("-fbdir", frame, "-screen", "0", "3200x900x24")
	if err != nil {
		t.Fatal("Xvfb:", err)
	}
	p.display, p.screen = display, filepath.Join(frame, "Xvfb_screen0")
	t.Cleanup(func() { _ = x.Process.Kill(); _ = x.Wait() })
	p.Tick(true)
	p.Start(args...)
	t.Cleanup(p.Quit)
	return p
}

// Tick sets the box that lets programs ask, while the browser is closed.
func (p *Person) Tick(on bool) {
	p.T.Helper()
	state := `{"devtools":{"remote_debugging":{"user-enabled":` + strconv.FormatBool(on) + `}}}`
	if err := os.WriteFile(filepath.Join(p.DataDir, "Local State"), []byte(state), 0o600); err != nil {
		p.T.Fatal(err)
	}
}

func (p *Person) command(args ...string) *exec.Cmd {
	all := append([]string{"--user-data-dir=" + p.DataDir, "--no-first-run", "--no-default-browser-check",
		"--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--password-store=basic", "--window-size=1050,880", "--window-position=0,0"}, args...)
	if os.Geteuid() == 0 {
		all = append(all, "--no-sandbox")
	}
	cmd := exec.CommandContext(context.WithoutCancel(p.T.Context()), LookPath(p.T, "chromium"), all...)
	cmd.Env = append(os.Environ(), "DISPLAY="+p.display)
	return cmd
}

// Start starts the browser, and returns when programs can ask it.
func (p *Person) Start(args ...string) {
	p.T.Helper()
	_ = os.Remove(filepath.Join(p.DataDir, "DevToolsActivePort"))
	cmd := p.command(append(args, "about:blank")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		p.T.Fatal(err)
	}
	gone := make(chan struct{})
	p.process, p.gone = cmd.Process, gone
	go func() {
		_ = cmd.Wait()
		close(gone)
	}()
	Wait(p.T, "the person's browser", func() bool { return Exists(filepath.Join(p.DataDir, "DevToolsActivePort")) })
	p.windows = nil
	p.arrange()
}

// arrange waits for a new window, and puts it beside the others: no window manager does.
func (p *Person) arrange() {
	p.T.Helper()
	var found string
	Wait(p.T, "a window", func() bool {
		for _, id := range strings.Fields(p.xdotool("search", "--onlyvisible", "--name", " - Chromium$")) {
			if !slices.Contains(p.windows, id) {
				found = id
			}
		}
		return found != ""
	})
	x := len(p.windows) * windowWidth
	p.windows = append(p.windows, found)
	p.xdotool("windowmove", found, strconv.Itoa(x), "0")
	Wait(p.T, "its page", func() bool { return p.at(x+windowWidth/2, 700) == white })
}

// xdotool returns what xdotool prints. It fails when it finds nothing.
func (p *Person) xdotool(args ...string) string {
	cmd := Exec(p.T, "xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+p.display)
	out, _ := cmd.Output()
	return string(out)
}

// NewWindow opens an address in a window of its own, such as that of another profile.
func (p *Person) NewWindow(args ...string) {
	p.T.Helper()
	p.run(args...)
	p.arrange()
}

// Focus gives a window the keyboard, as a person does who clicks into it.
func (p *Person) Focus(window int) { p.xdotool("windowfocus", "--sync", p.windows[window]) }

// Type presses keys in the window that has the keyboard.
func (p *Person) Type(keys ...string) { p.xdotool(append([]string{"key"}, keys...)...) }

// Go types an address in the first window. Keys reach the address bar once the page has left ctrl+l to the browser; the
// bar is white then.
func (p *Person) Go(address string) {
	p.T.Helper()
	p.Focus(0)
	writing := func() bool { return p.at(850, 63) == white }
	Wait(p.T, "the address bar", func() bool {
		p.Type("ctrl+l")
		return Poll(Patience/20, writing)
	})
	p.xdotool("type", "--delay", "10", address+"\n")
	Wait(p.T, "the browser to take the address", func() bool { return !writing() })
}

// Visit opens an address in a window of one of the browser's profiles.
func (p *Person) Visit(profile, address string) {
	p.T.Helper()
	p.run("--profile-directory="+profile, address)
}

// run tells the browser what to open.
func (p *Person) run(args ...string) {
	p.T.Helper()
	if out, err := p.command(args...).CombinedOutput(); err != nil {
		p.T.Fatalf("%v\n%s", err, out)
	}
}

// PID is the browser's process.
func (p *Person) PID() int {
	link, _ := os.Readlink(filepath.Join(p.DataDir, "SingletonLock"))
	pid, _ := strconv.Atoi(link[strings.LastIndexByte(link, '-')+1:])
	return pid
}

// Open reports whether the browser runs.
func (p *Person) Open() bool { return p.PID() > 0 && syscall.Kill(p.PID(), 0) == nil }

// Quit closes the browser, if it runs. SIGTERM would lose the cookies of the last half minute.
func (p *Person) Quit() {
	select {
	case <-p.gone:
		return
	default:
	}
	_ = p.process.Signal(syscall.SIGINT)
	select {
	case <-p.gone:
	case <-time.After(Patience):
		_ = syscall.Kill(-p.process.Pid, syscall.SIGKILL)
		<-p.gone
	}
}

// Asked reports whether the browser asks whether a program may connect: it shades a window then.
func (p *Person) Asked() bool { return p.asking() >= 0 }

// asking returns the window with a question, and -1 if there is none.
func (p *Person) asking() int {
	return slices.IndexFunc(p.windows, func(id string) bool {
		x := slices.Index(p.windows, id) * windowWidth
		return p.at(x+windowWidth/2, 700) == shade || p.at(x+windowWidth-50, 20) == shadedTabs
	})
}

// Allow waits for the question and allows it.
func (p *Person) Allow() { p.answer("Tab", "Return") }

// Refuse waits for the question and refuses it.
func (p *Person) Refuse() { p.answer("Return") }

// answer presses the keys until the question is gone: a key that comes early is lost.
func (p *Person) answer(keys ...string) {
	p.T.Helper()
	Wait(p.T, "the browser's question", p.Asked)
	Wait(p.T, "the question to be answered", func() bool {
		at := p.asking()
		if at < 0 {
			return true
		}
		p.Focus(at)
		p.xdotool(append([]string{"key"}, keys...)...)
		return Poll(Patience/20, func() bool { return !p.Asked() })
	})
}

const (
	white = 0xffffff
	// Behind a question of the browser a white page and the strip of tabs have these colours.
	shade, shadedTabs = 0x666666, 0x545b65
)

// at returns the colour of a point of the display, from the file that the X server keeps it in.
func (p *Person) at(x, y int) uint32 {
	raw, err := os.ReadFile(p.screen)
	if err != nil || len(raw) < 100 {
		return 0
	}
	word := func(n int) int { return int(binary.BigEndian.Uint32(raw[4*n:])) }
	const perLine, colours, colourSize = 12, 19, 12
	at := word(0) + word(colours)*colourSize + y*word(perLine) + 4*x
	if at+4 > len(raw) {
		return 0
	}
	return binary.LittleEndian.Uint32(raw[at:]) & white
}
