package wrapper

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
)

// home is the data folder of most installations here.
const home = paths.Home("/home/me/cove data")

func TestThePortStandsInExactlyTwoPlaces(t *testing.T) {
	if n := strings.Count(source, "3001"); n != 2 {
		t.Errorf("3001 stands in the source %d times", n)
	}
	for _, port := range []int{1, 80, 3001, 3010, 30010, 65535} {
		text := Text(port, home)
		all := regexp.MustCompile(`http://127\.0\.0\.1:(\d+)/`).FindAllStringSubmatch(text, -1)
		if len(all) != 2 || all[0][1] != fmt.Sprint(port) || all[1][1] != fmt.Sprint(port) {
			t.Errorf("for port %d: %v", port, all)
		}
		if port != 3001 && regexp.MustCompile(`\b3001\b`).MatchString(text) {
			t.Errorf("for port %d the usual one is left", port)
		}
	}
}

func TestTheDataFolderIsWrittenAsJavaScriptReadsIt(t *testing.T) {
	for _, home := range []string{
		"/home/me/cove data", `C:\Users\Zoë\AppData\new`, `\\server\share\cove`, `/with"double/and'single`,
		"/with\nline",
		"/日本/😀",
		"/a</script>&b", "/\u2028/\u2029", "/$&/$1/${x}/`", "/" + sourcePort,
	} {
		text := Text(4000, paths.Home(home))
		m := regexp.MustCompile(`\nconst DATA_FOLDER = (".*");\n`).FindStringSubmatch(text)
		var got string
		if m == nil || json.Unmarshal([]byte(m[1]), &got) != nil || got != home {
			t.Errorf("%q was written as %q", home, m)
			continue
		}
		if strings.ContainsAny(m[1], "\u2028\u2029\n") { // ends of a line for JavaScript before 2019
			t.Errorf("%q was written as %q", home, m[1])
		}
		if changed(text) {
			t.Errorf("the file for %q counts as changed", home)
		}
	}
}

func TestTheVersionIsTheOneOfTheTests(t *testing.T) {
	for name, value := range map[string]string{"PACKAGE": Package, "VERSION": Version} {
		if !strings.Contains(source, "\nconst "+name+" = '"+value+"';\n") {
			t.Errorf("the file's %s is not %s", name, value)
		}
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "e2e", "node", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Dev map[string]string `json:"devDependencies"`
	}
	if err := json.Unmarshal(raw, &f); err != nil || f.Dev[Package] != Version {
		t.Errorf("the tests run %q, %v", f.Dev[Package], err)
	}
}

func TestAnEditedFileIsRecognised(t *testing.T) {
	text := Text(3001, home)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"as written":                  {text, false},
		"with Windows' line ends":     {strings.ReplaceAll(text, "\n", "\r\n"), false},
		"for another port":            {Text(4000, "/elsewhere"), false},
		"an edited line":              {strings.Replace(text, "3000", "9000", 1), true},
		"an added line at the end":    {text + "// mine\n", true},
		"an added line at the start":  {"// mine\n" + text, true},
		"a port changed by hand":      {strings.ReplaceAll(text, ":3001/", ":4000/"), true},
		"the last line taken away":    {text[:strings.LastIndex(text, sealStart)], true},
		"the last line's end missing": {strings.TrimSuffix(text, "\n"), true},
		"somebody else's file":        {"console.log(1)\n", true},
		"an empty file":               {"", true},
	} {
		if changed(c.text) != c.want {
			t.Errorf("%s: changed is %v", name, !c.want)
		}
	}
}

// mustInstall installs without force and checks the outcome.
func mustInstall(t *testing.T, dir string, port int, wantWritten bool) string {
	t.Helper()
	file, written, err := Install(dir, port, home, false)
	if err != nil || written != wantWritten || file != filepath.Join(dir, Name) {
		t.Fatalf("%s, written %v, %v", file, written, err)
	}
	raw, err := os.ReadFile(file)
	if err != nil || string(raw) != Text(port, home) {
		t.Fatalf("the file is not as meant, %v", err)
	}
	return file
}

func TestInstallWritesOnceAndFollowsThePort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	mustInstall(t, dir, 3001, true)
	mustInstall(t, dir, 3001, false)
	file := mustInstall(t, dir, 3002, true)
	if _, err := os.Stat(file + ".bak"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file of our own was kept: %v", err)
	}
}

func TestInstallKeepsAnEditedFile(t *testing.T) {
	dir := t.TempDir()
	file := mustInstall(t, dir, 3001, true)
	edited := []byte(Text(3001, home) + "// mine\n")
	if err := os.WriteFile(file, edited, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, written, err := Install(dir, 3002, home, false); !errors.Is(err, ErrChanged) || written {
		t.Errorf("written %v, %v", written, err)
	}
	if raw, _ := os.ReadFile(file); string(raw) != string(edited) {
		t.Error("the edited file is gone")
	}
	if _, written, err := Install(dir, 3002, home, true); err != nil || !written {
		t.Errorf("with force: written %v, %v", written, err)
	}
	if raw, _ := os.ReadFile(file + ".bak"); string(raw) != string(edited) {
		t.Error("the edited file is not beside the new one")
	}
	mustInstall(t, dir, 3002, false)
}

func TestInstallSaysWhereItCannotWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file in a folder's place is another error there")
	}
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "folder", Name), 0o700); err != nil {
		t.Fatal(err)
	}
	folders := []string{taken, filepath.Join(taken, "below"), filepath.Join(dir, "folder")}
	if closed := filepath.Join(dir, "closed"); os.Getuid() != 0 {
		if err := os.Mkdir(closed, 0o500); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, closed)
	}
	for _, dir := range folders {
		_, written, err := Install(dir, 3001, home, false)
		var f *fault.Error
		if written || !errors.As(err, &f) || f.Kind != fault.Invalid ||
			!strings.Contains(f.Text, dir) || !strings.Contains(f.Hint, "--dir") {
			t.Errorf("%s: written %v, %v", dir, written, err)
		}
	}
}

func TestInstallRefusesALinkThatLeadsNowhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, Name)); err != nil {
		t.Skip("links need a privilege there")
	}
	for _, force := range []bool{false, true} {
		_, written, err := Install(dir, 3001, paths.Home(t.TempDir()), force)
		f := fault.From(err)
		if err == nil || written || f.Code != fault.CodeWrapperUnwritable || !strings.Contains(f.Text, "link") {
			t.Errorf("written %v, %v", written, err)
		}
		if !strings.Contains(f.Hint, "Remove the link "+filepath.Join(dir, Name)) ||
			!strings.Contains(f.Hint, "--dir") {
			t.Errorf("force %v: the hint is %q", force, f.Hint)
		}
	}
}
