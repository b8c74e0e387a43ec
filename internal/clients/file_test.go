package clients

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"cove/internal/fault"
	"cove/internal/profile"
)

func TestALinkStaysALink(t *testing.T) {
	for _, c := range Table() {
		for _, dangling := range []bool{false, true} {
			d := newFixture(t, "linux", c, User)
			_, file := d.file()
			target := filepath.Join(t.TempDir(), "dotfiles")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			before := existing(c, "  ", "\n")
			if !dangling {
				if err := os.WriteFile(target, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(target, file); err != nil {
				t.Fatal(err)
			}
			if _, err := d.add(1); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if to, err := os.Readlink(file); err != nil || to != target || !strings.Contains(d.read(), "cove-1") {
				t.Errorf("%s: the link leads to %q, %v", c.Name, to, err)
			}
			if _, err := d.remove(1); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			if after := d.read(); dangling && after != "(no file)\n" || !dangling && after != before {
				t.Errorf("%s: left %q", c.Name, after)
			}
			if _, err := os.Lstat(file); err != nil {
				t.Errorf("%s: the link is gone", c.Name)
			}
		}
	}
}

func TestAReadOnlyFileIsNotWritten(t *testing.T) {
	for _, c := range Table() {
		d := newFixture(t, "linux", c, User)
		before := existing(c, "  ", "\n")
		d.write(before)
		named, file := d.file()
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		_, err := d.add(1)
		fails(t, err, fault.Denied, "E_UNWRITABLE", named, "read-only",
			"or add this to it yourself:\n"+Snippet(c, c.Key, entryOf(d.Env, 1)))
		if d.read() != before {
			t.Errorf("%s was changed", c.Name)
		}
		if l, err := loadLedger(d.Home); err != nil || len(l.Entries) != 0 {
			t.Errorf("%s: the ledger has %v, %v", c.Name, l, err)
		}
	}
}

// TestAFolderInPlaceOfTheFile checks that anything that is not a file is refused at once: reading a pipe would never
// end.
func TestAFolderInPlaceOfTheFile(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	_, file := d.file()
	if err := os.MkdirAll(file, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := d.add(1)
	fails(t, err, fault.Denied, "E_UNREADABLE", "not an ordinary file")
}

func TestFoldersThatWereMadeGoAgain(t *testing.T) {
	d := newFixture(t, "linux", client(t, "kiro"), Project)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(2); err != nil {
		t.Fatal(err)
	}
	for _, id := range []profile.ID{1, 2} {
		if _, err := d.remove(id); err != nil {
			t.Fatal(err)
		}
	}
	if d.Env.exists(d.Env.dir(".kiro")) {
		t.Error(".kiro is still there")
	}
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(d.Env.Real(d.Env.dir(".kiro")), "mine")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.remove(1); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine); err != nil || d.read() != "(no file)\n" {
		t.Errorf("left %q, %v", d.read(), err)
	}
}

func TestAFileIsBackedUpOnceADay(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	before := existing(d.client, "  ", "\n")
	d.write(before)
	for id := range profile.ID(3) {
		if _, err := d.add(id + 1); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(d.Home.ClientBackups("cursor"), "*"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	raw, _ := os.ReadFile(files[0])
	if string(raw) != before {
		t.Errorf("the backup is %q", raw)
	}
}

// TestASecondWriterIsNotOverwritten lets another program write, without a lock, between our reading and our writing.
func TestASecondWriterIsNotOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(file, []byte("old"), true, []byte("ours"), 0o600); !errors.Is(err, errMoved) {
		t.Error(err)
	}
	if err := replaceFile(file, nil, false, []byte("ours"), 0o600); !errors.Is(err, errMoved) {
		t.Error(err)
	}
	if raw, _ := os.ReadFile(file); string(raw) != "new" {
		t.Errorf("%q", raw)
	}
	if left, _ := filepath.Glob(filepath.Dir(file) + "/.*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestARelativeLinkInALinkedFolder checks that ".." in a link leads to the parent of the link's folder, not to the
// parent of a link to that folder.
func TestARelativeLinkInALinkedFolder(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	_, file := d.file()
	dotfiles := t.TempDir()
	target := filepath.Join(dotfiles, "shared", "mcp.json")
	for _, dir := range []string{"shared", "cursor"} {
		if err := os.Mkdir(filepath.Join(dotfiles, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := existing(d.client, "  ", "\n")
	if err := errors.Join(os.WriteFile(target, []byte(before), 0o600), os.Remove(filepath.Dir(file)),
		os.Symlink(filepath.Join(dotfiles, "cursor"), filepath.Dir(file)),
		os.Symlink(filepath.Join("..", "shared", "mcp.json"), file)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(target); err != nil || !strings.Contains(string(raw), "cove-1") {
		t.Errorf("%v: %s", err, raw)
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: left %q", err, d.read())
	}
}

// TestAFileThatCannotBeWrittenIsNotReplaced checks that even if the folder would allow it, somebody else's file stays.
// The test uses a running program, which nobody may write, not even root.
func TestAFileThatCannotBeWrittenIsNotReplaced(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a running program can be written there")
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	before, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sleep")
	if err := os.WriteFile(file, before, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file, "60")
	cmd.Args[0] = "sleep" // some systems have one program for many names
	if err := cmd.Start(); err != nil {
		t.Skip(err) // from a disk that holds no programs
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := replaceFile(file, before, true, []byte("ours"), 0o600); err == nil || errors.Is(err, errMoved) {
		t.Error(err)
	}
	if raw, _ := os.ReadFile(file); !bytes.Equal(raw, before) {
		t.Error("it was replaced")
	}
}

// TestWhatTheSystemSaysIsToldWithoutItsPaths checks that errors have no path of a scratch file, which tells a person
// nothing.
func TestWhatTheSystemSaysIsToldWithoutItsPaths(t *testing.T) {
	s := location{client: client(t, "cursor"), file: "/f/mcp.json", byHand: "add it."}
	err := s.unwritable(&os.LinkError{Op: "rename", Old: "/f/.mcp.json.cove-1", New: "/f/mcp.json", Err: syscall.EBUSY})
	fails(t, err, fault.Denied, "E_UNWRITABLE", "/f/mcp.json cannot be written: device or resource busy.", "or add it.")
	if strings.Contains(err.Error(), "cove-1") {
		t.Error(err)
	}
	err = replaceFile(filepath.Join(t.TempDir(), "none", "f"), nil, false, nil, 0o600)
	fails(t, s.unwritable(err), fault.Denied, "E_UNWRITABLE",
		"/f/mcp.json cannot be written: nothing can be written into its folder: no such file or directory.")
}
