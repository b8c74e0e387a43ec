package notify

import (
	"bufio"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"cove/internal/sessionbus"
)

// daemon stands for the desktop: it keeps the notes and presses a button.
type daemon struct {
	conn    *dbus.Conn
	presses string
	notes   chan []string
	closed  chan uint32
}

// Notify is the call by which a program shows a note.
func (d *daemon) Notify(_ string, _ uint32, _, title, text string, actions []string, _ map[string]dbus.Variant,
	_ int32) (uint32, *dbus.Error) {
	d.notes <- append([]string{title, text}, actions...)
	if d.presses != "" {
		_ = d.conn.Emit(busPath, busName+".ActionInvoked", uint32(6), "other")
		_ = d.conn.Emit(busPath, busName+".ActionInvoked", uint32(7), d.presses)
	}
	return 7, nil
}

// CloseNotification is the call by which a program takes a note back.
func (d *daemon) CloseNotification(id uint32) *dbus.Error {
	d.closed <- id
	return nil
}

// startDesktop runs a bus of its own with a daemon on it.
func startDesktop(t *testing.T, presses string) *daemon {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	cmd := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--nopidfile", "--print-address",
		"--address=unix:path="+filepath.Join(t.TempDir(), "bus"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))

	conn, err := sessionbus.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	d := &daemon{conn: conn, presses: presses, notes: make(chan []string, 1), closed: make(chan uint32, 1)}
	if err := conn.Export(d, busPath, busName); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(busName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAPressOnTheDesktopComesBack(t *testing.T) {
	d := startDesktop(t, "deny")
	key, err := Desktop(t.Context(), Notification{Title: "Cove", Text: "An agent asks.", Actions: []Action{{"deny", "Deny"}}})
	if err != nil || key != "deny" {
		t.Fatalf("%q, %v", key, err)
	}
	if got := strings.Join(<-d.notes, "|"); got != "Cove|An agent asks.|deny|Deny" {
		t.Errorf("shown: %s", got)
	}
}

func TestANoteThatNobodyNeedsIsTakenBack(t *testing.T) {
	d := startDesktop(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-d.notes; cancel() }()
	if key, err := Desktop(ctx, Notification{Title: "Cove"}); err == nil || key != "" {
		t.Errorf("%q, %v", key, err)
	}
	if id := <-d.closed; id != 7 {
		t.Errorf("note %d was taken back", id)
	}
}

func TestWithoutADesktopNothingIsStarted(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if _, err := Desktop(t.Context(), Notification{}); err != sessionbus.ErrNone { //nolint:errorlint // it is this very value
		t.Error(err)
	}
}
