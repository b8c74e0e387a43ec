package protect

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"cove/internal/fault"
)

// computer is a person's folders with a Cove in them.
type computer struct {
	home, data, project, program, client string
	files                                *Files
}

func newComputer(t *testing.T) computer {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := computer{home: filepath.Join(base, "person")}
	t.Setenv("HOME", c.home)
	t.Setenv("USERPROFILE", c.home)
	c.data, c.project = filepath.Join(c.home, "Cove data"), filepath.Join(c.home, "project")
	c.program, c.client = filepath.Join(c.home, "bin", "cove"), filepath.Join(c.home, "client", "mcp.json")
	for _, name := range []string{"owner.token", "browser_profiles/1/data_dir/Cookies",
		"browser_profiles/2/secrets.json"} {
		write(t, filepath.Join(c.data, name), "secret")
	}
	write(t, c.program, "program")
	write(t, c.client, "{}")
	write(t, filepath.Join(c.project, "plain.txt"), "plain")
	c.files = New(Paths{Folders: []string{c.data},
		Files: []string{c.program, c.client, filepath.Join(c.home, "later", "config.toml"),
			filepath.Join(c.home, "later", "free.json")},
		Names: []string{".mcp.json", "free.json", ".free/free.json", ".cursor/mcp.json", "wrapper*.mjs"}})
	return c
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestProtectedFilesByEveryName(t *testing.T) {
	c := newComputer(t)
	in := filepath.Join
	refused := []string{c.data, in(c.data, "owner.token"), in(c.data, "not", "there", "yet"), in(c.data, "panic"),
		in(c.data, "browser_profiles", "2", "secrets.json"),
		c.project + "/../Cove data/owner.token", strings.ToUpper(in(c.data, "new")), c.program, c.client, in(c.home,
			"later",
			"config.toml"),
		in(c.project, ".mcp.json"), in(c.project, ".MCP.json"), in(c.project, "deep", ".cursor",
			"mcp.json"), in(c.project,
			"wrapper-1.mjs")}
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"folder": c.data, "file": in(c.data, "owner.token"), "up": "..",
			"program": c.program} {
			if err := os.Symlink(to, in(c.project, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("folder", in(c.project, "twice")); err != nil {
			t.Fatal(err)
		}
		refused = append(refused, in(c.project, "folder", "owner.token"), in(c.project, "folder", "new"),
			in(c.project, "file"), in(c.project, "twice", "panic"),
			in(c.project, "up", "Cove data", "x"), in(c.project, "program"), "/proc/self/environ", "/proc/self/root"+
				in(c.data, "owner.token"), "/dev/fd/3", "/dev/stdin", "/dev/tty", "/sys/x")
	}
	for name, to := range map[string]string{"other name": in(c.data, "owner.token"),
		"cookies": in(c.data, "browser_profiles", "1", "data_dir", "Cookies"), "settings": c.client} {
		if err := os.Link(to, in(c.project, name)); err != nil {
			t.Fatal(err)
		}
		refused = append(refused, in(c.project, name))
	}
	for _, name := range append(refused, "/tmp/a\x00b", "/tmp/a\uFFFDb") {
		if err := c.files.Check(name); err == nil {
			t.Errorf("%q may be used", name)
		}
	}
	if err := os.Link(in(c.project, "plain.txt"), in(c.project, "plain too.txt")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{in(c.project, "plain.txt"), in(c.project, "plain too.txt"), in(c.project, "new", "x"),
		in(c.home, "Cove data 2"), in(c.home, "mcp.json"), in(c.project, "mcp.json")} {
		if err := c.files.Check(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADataFolderBehindALinkIsTheSame(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	c := newComputer(t)
	link := filepath.Join(c.home, "link")
	if err := os.Symlink(c.data, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(c.data, "owner.token"), filepath.Join(c.project, "hard")); err != nil {
		t.Fatal(err)
	}
	f := New(Paths{Folders: []string{link}})
	for _, name := range []string{filepath.Join(c.data, "owner.token"), filepath.Join(link, "owner.token"),
		filepath.Join(c.project, "hard")} {
		if f.Check(name) == nil {
			t.Errorf("%s may be used", name)
		}
	}
}

func TestPathsForOtherPrograms(t *testing.T) {
	c := newComputer(t)
	for _, name := range []string{"plain.txt", "./x", c.project + "/../project/plain.txt", c.project + "/./plain.txt",
		c.project + "//plain.txt", ""} {
		if c.files.Literal(name) == nil {
			t.Errorf("%q may be used", name)
		}
	}
	for _, name := range []string{filepath.Join(c.project, "plain.txt"), c.project + string(filepath.Separator)} {
		if err := c.files.Literal(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFoldersForDownloads(t *testing.T) {
	c := newComputer(t)
	for _, dir := range []string{c.data, filepath.Join(c.data, "logs"), filepath.Dir(c.client), filepath.Dir(c.program),
		filepath.Join(c.home, "later"), filepath.Join(c.project, ".cursor")} {
		if c.files.CheckFolder(dir) == nil {
			t.Errorf("%s may be used", dir)
		}
	}
	for _, dir := range []string{c.project, filepath.Join(c.home, "Downloads")} {
		if err := c.files.CheckFolder(dir); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestAddressesOfProtectedFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("written for slashes")
	}
	c := newComputer(t)
	token := strings.ReplaceAll(filepath.Join(c.data, "owner.token"), " ", "%20")
	for _, address := range []string{"file://" + token, "FILE://" + token, " file://" + token, "file:" + token,
		"file:/" +
			token, "fi\nle://" + token, "file://localhost" + token, "file:////" + token,
		"view-source:file://" + token, "View-Source:view-source:file://" + token, "file://" + token + "?x#y",
		"file://" +
			c.project + "/../Cove%20data/owner.token",
		"file://" + c.project + "/%2e%2e/Cove%20data/owner.token", `file:\\\` + token, "file://" +
			strings.ReplaceAll(token, "owner", "%6fwner"), "file:///x%2f.." + token,
		"file://other" + token, "file:///proc/self/environ", "file:///x%zz"} {
		if c.files.CheckURL(address) == nil {
			t.Errorf("%q may be opened", address)
		}
	}
	for _, address := range []string{"https://example.com" + token, "about:blank", "file://" + c.project + "/plain.txt",
		"file:///", "data:text/plain,file:", "file://" + c.home} {
		if err := c.files.CheckURL(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestFoldersThatAClientMayName(t *testing.T) {
	c := newComputer(t)
	for _, dir := range []string{"/", c.home, filepath.Dir(c.home), filepath.Join(c.home, ".ssh"),
		filepath.Join(c.home, ".config", "x"), filepath.Join(c.project, ".git"), c.data,
		filepath.Join(c.data, "x"), "relative", "/proc/self", "/home", "/Users", "/home/somebody",
		"/home/somebody/.ssh",
		"/root"} {
		if runtime.GOOS == "windows" && strings.HasPrefix(dir, "/") && dir != "/" {
			continue
		}
		if c.files.Narrow(dir) {
			t.Errorf("%s is no folder for a task", dir)
		}
	}
	elsewhere := filepath.Join(c.home, "work")
	if f := New(Paths{Folders: []string{filepath.Join(elsewhere, "data")}}); f.Narrow(elsewhere) {
		t.Error("the data folder is in it")
	}
	for _, dir := range []string{c.project, filepath.Join(c.project, "deep"), filepath.Join(c.home, "work"),
		"/srv/project", "/home/somebody/project"} {
		if runtime.GOOS != "windows" && !c.files.Narrow(dir) {
			t.Errorf("%s is a folder for a task", dir)
		}
	}
}

func TestNamesThatWindowsReadsInAnotherWay(t *testing.T) {
	for _, name := range []string{`\\server\share\x`, `//server/share`, `\\?\C:\x`, `\\.\pipe\x`, `\??\C:\x`,
		`C:\x:stream`, `C:\owner.token::$DATA`, `C:\x.`, `C:\x \y`, `C:\con`, `C:\NUL.txt`, `C:\com1`, `C:\LPT9.log`,
		`C:\COM¹`, `C:\CONOUT$`} {
		if checkWindowsName(name) == nil {
			t.Errorf("%s may be used", name)
		}
	}
	for _, name := range []string{`C:\Users\me\project\x.txt`, `C:\a\..\b`, `C:\common\complex\console.log`, `C:\`,
		`D:/x/y`} {
		if err := checkWindowsName(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyPlainFilesAreOpened(t *testing.T) {
	c := newComputer(t)
	if _, err := c.files.Open(filepath.Join(c.data, "owner.token")); fault.KindOf(err) != fault.Denied {
		t.Errorf("opened: %v", err)
	}
	if _, err := c.files.Create(filepath.Join(c.data, "panic")); fault.KindOf(err) != fault.Denied {
		t.Errorf("made: %v", err)
	}
	for _, open := range []func(string) (*os.File, error){c.files.Open, c.files.Create} {
		if _, err := open(c.project); err == nil {
			t.Error("a folder was opened")
		}
	}
	if _, err := c.files.Open(filepath.Join(c.project, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	name := filepath.Join(c.project, "a", "b", "new.txt")
	for _, text := range []string{"long text", "short"} {
		f, err := c.files.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, text)
		_ = f.Close()
		f, err = c.files.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(f); string(got) != text {
			t.Errorf("%q", got)
		}
		_ = f.Close()
	}
}

// Somebody exchanges a folder for a link while files are made and read in it: none of them is a protected one.
func TestAFolderThatIsExchangedLeadsNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	c := newComputer(t)
	dir := filepath.Join(c.project, "dir")
	write(t, filepath.Join(dir, "owner.token"), "mine")
	link := filepath.Join(c.project, "link")
	if err := os.Symlink(c.data, link); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		for {
			for _, pair := range [][2]string{{dir, dir + ".kept"}, {link, dir}, {dir, link}, {dir + ".kept", dir}} {
				_ = os.Rename(pair[0], pair[1])
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	opened := 0
	for range 80 {
		if f, err := c.files.Open(filepath.Join(dir, "owner.token")); err == nil {
			if got, _ := io.ReadAll(f); string(got) == "secret" {
				t.Fatal("a protected file was read")
			}
			_ = f.Close()
			opened++
		}
		if f, err := c.files.Create(filepath.Join(dir, "owner.token")); err == nil {
			_, _ = io.WriteString(f, "mine")
			_ = f.Close()
		}
		if f, err := c.files.Create(filepath.Join(dir, "panic")); err == nil {
			_ = f.Close()
		}
	}
	close(stop)
	swaps.Wait()
	if got, err := os.ReadFile(filepath.Join(c.data, "owner.token")); err != nil || string(got) != "secret" {
		t.Errorf("a protected file was written: %q %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(c.data, "panic")); err == nil {
		t.Error("a file was made in a protected folder")
	}
	t.Logf("%d of 80 were opened", opened)
}
