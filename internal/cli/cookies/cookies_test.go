package cookies

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// fakeJar answers as the app does, and counts imports.
type fakeJar struct {
	changes api.CookieChanges
	done    api.CookiesImported
	file    api.CookieFile
	imports int
}

func (a *fakeJar) Try(context.Context, string) (api.CookieChanges, error) {
	return a.changes, nil
}

func (a *fakeJar) Import(context.Context, string) (api.CookiesImported, error) {
	a.imports++
	return a.done, nil
}

func (a *fakeJar) Export(context.Context, string) (api.CookieFile, error) {
	return a.file, nil
}

// testEnv returns an Env without a terminal, and what it writes.
func testEnv() (env *command.Env, out, errOut *bytes.Buffer) {
	out, errOut = &bytes.Buffer{}, &bytes.Buffer{}
	return &command.Env{In: strings.NewReader(""), Out: out, Err: errOut}, out, errOut
}

func TestWithoutAYesNothingIsImported(t *testing.T) {
	env, _, errOut := testEnv()
	a := &fakeJar{changes: api.CookieChanges{Skipped: 1, Repeated: 2, LocalStorage: 1,
		Ignored: []string{"origins.indexedDB"}}}
	err := importFile(t.Context(), env, a, 1, "x", options{})
	if fault.KindOf(err) != fault.Invalid || a.imports != 0 {
		t.Errorf("%v, %d imports", err, a.imports)
	}
	for _, want := range []string{"1 cookie has expired and would be skipped.\n",
		"2 cookies would be replaced by later ones with the same name.\n", "1 local storage entry would be imported, too.\n",
		"Would not be imported: IndexedDB.\n"} {
		if !strings.Contains(errOut.String(), want) {
			t.Errorf("%q is not in %s", want, errOut)
		}
	}
}

func TestAnImportSaysWhatItLeftOut(t *testing.T) {
	env, out, errOut := testEnv()
	a := &fakeJar{done: api.CookiesImported{Imported: 1, Skipped: 2, Repeated: 1, LocalStorage: 2,
		Ignored: []string{"origins.indexedDB", "other"}}}
	if err := importFile(t.Context(), env, a, 7, "x", options{yes: true}); err != nil {
		t.Fatal(err)
	}
	if want := "Imported 1 cookie and 2 local storage entries into profile 7.\n"; out.String() != want {
		t.Errorf("%q, not %q", out, want)
	}
	want := "2 cookies had expired and were skipped.\n1 cookie was replaced by a later one with the same name.\n" +
		"Not imported: IndexedDB, other.\n"
	if errOut.String() != want {
		t.Errorf("%q, not %q", errOut, want)
	}
}

func TestAnExportSaysWhatItLeftOut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cookies.txt")
	for _, to := range []string{name, ""} {
		env, out, errOut := testEnv()
		a := &fakeJar{file: api.CookieFile{Content: []byte("hello"), Partitioned: 1, Opaque: 2}}
		if err := exportFile(t.Context(), env, a, "netscape", to); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if to != "" {
			raw, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			got += string(raw)
		}
		if got != "hello" {
			t.Errorf("wrote %q", got)
		}
		for _, want := range []string{"Left out: 1 partitioned cookie, which this format cannot hold.\n",
			"Left out: 2 cookies in partitions without a name, which no format can hold.\n"} {
			if !strings.Contains(errOut.String(), want) {
				t.Errorf("%q is not in %s", want, errOut)
			}
		}
	}
}

func TestAFileThatIsNotUTF8IsRefused(t *testing.T) {
	env, _, _ := testEnv()
	env.In = strings.NewReader(".a.example\tTRUE\t/\tFALSE\t0\tn\t\xe9")
	cmd := Command(env)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs([]string{"import", "1", "-", "--yes"})
	if err := cmd.Execute(); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "UTF-8") {
		t.Error(err)
	}
}
