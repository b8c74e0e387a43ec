package secret_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
)

func profileDir(t *testing.T, home, id string) paths.ProfileDir {
	t.Helper()
	dir := paths.ProfileDir(filepath.Join(home, "browser_profiles", id))
	if err := os.MkdirAll(string(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

const value = `pässw"rd&<1>+/ x`

func TestASecretIsKeptEncryptedForItsProfileAndSite(t *testing.T) {
	home := t.TempDir()
	dir := profileDir(t, home, "1")
	s := secret.OpenHome(dir)
	if err := s.Set("mail", "https://mail.test", value); err != nil {
		t.Fatal(err)
	}
	one, err := secret.OpenHome(dir).Get("mail")
	if err != nil || one.Value != value || one.Site.String() != "https://mail.test" {
		t.Fatalf("%+v %v", one, err)
	}
	for _, name := range []string{dir.Secrets(), paths.Home(home).SecretKey()} {
		raw, err := os.ReadFile(name)
		redacted := redactor.New([]secret.Secret{one}).Text(string(raw))
		if err != nil || bytes.Contains(raw, []byte(value)) || redacted != string(raw) {
			t.Errorf("%s holds the value (%v)", name, err)
		}
		if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
			t.Errorf("%s is open: %v", name, info.Mode())
		}
	}
	list, err := s.List()
	if err != nil || len(list) != 1 || list[0].Name != "mail" {
		t.Errorf("%v %v", list, err)
	}

	raw, _ := os.ReadFile(dir.Secrets())
	other := profileDir(t, home, "2")
	if err := os.WriteFile(other.Secrets(), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := secret.OpenHome(other).Get("mail"); fault.From(err).Code != "E_SECRETS" {
		t.Errorf("it opens in another profile: %v", err)
	}
	evil := bytes.ReplaceAll(raw, []byte("https://mail.test"), []byte("https://evil.test"))
	if err := os.WriteFile(dir.Secrets(), evil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("mail"); fault.From(err).Code != "E_SECRETS" {
		t.Errorf("it opens for another site: %v", err)
	}
	_ = os.WriteFile(dir.Secrets(), raw, 0o600)
	if err := s.Remove("mail"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("mail"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("it is still there: %v", err)
	}
	if err := s.Remove("mail"); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}

func TestOneSecretThatCannotBeReadKeepsNoOtherBack(t *testing.T) {
	for name, spoil := range map[string]func(raw []byte) []byte{
		"another box": func(raw []byte) []byte {
			return bytes.Replace(raw, []byte(`"box": "`), []byte(`"box": "AAAA`), 1)
		},
		"another site": func(raw []byte) []byte {
			return bytes.Replace(raw, []byte("https://a.test"), []byte("https://z.test"), 1)
		},
		"no site":   func(raw []byte) []byte { return bytes.Replace(raw, []byte("https://a.test"), []byte("::::"), 1) },
		"no nonce":  func(raw []byte) []byte { return bytes.Replace(raw, []byte(`"nonce"`), []byte(`"once"`), 1) },
		"no base64": func(raw []byte) []byte { return bytes.Replace(raw, []byte(`"box": "`), []byte(`"box": "!`), 1) },
		"a number there": func(raw []byte) []byte {
			return bytes.Replace(raw, []byte(`"secrets": [`), []byte(`"secrets": [5,`), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := profileDir(t, t.TempDir(), "1")
			s := secret.OpenHome(dir)
			for _, one := range []string{"a", "b", "c"} {
				if err := s.Set(one, "https://"+one+".test", "value of "+one); err != nil {
					t.Fatal(err)
				}
			}
			raw, err := os.ReadFile(dir.Secrets())
			if err != nil || bytes.Equal(raw, spoil(raw)) {
				t.Fatal("not spoiled", err)
			}
			if err := os.WriteFile(dir.Secrets(), spoil(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time from memory
				all, err := s.All()
				if err == nil {
					t.Error("nothing is said of it")
				}
				if got := redactor.New(all).Text("value of b, value of c"); got != redactor.Dots+", "+redactor.Dots {
					t.Errorf("not hidden: %s", got)
				}
			}
			if one, err := s.Get("b"); err != nil || one.Value != "value of b" {
				t.Errorf("%+v %v", one, err)
			}
			if name != "a number there" && name != "no base64" {
				_, err := s.Get("a")
				if fault.From(err).Code != "E_SECRETS" || !strings.Contains(err.Error(), "secret a ") {
					t.Errorf("the broken one: %v", err)
				}
			}
			if err := s.Set("a", "https://a.test", "value of a"); err != nil {
				t.Fatal(err)
			}
			if one, err := s.Get("a"); err != nil || one.Value != "value of a" {
				t.Errorf("set again: %+v %v", one, err)
			}
		})
	}
}

func TestWhatIsNoSecretIsRefused(t *testing.T) {
	s := secret.OpenHome(profileDir(t, t.TempDir(), "1"))
	for _, bad := range [][3]string{
		{"", "https://a.test", value},
		{"a b", "https://a.test", value},
		{"-a", "https://a.test", value},
		{"é", "https://a.test", value},
		{strings.Repeat("a", 65), "https://a.test", value},
		{"a", "nowhere at all", value},
		{"a", "*", value},
		{"a", "https://a.test", "short"},
		{"a", "https://a.test", "two\nlines"},
		{"a", "https://a.test", strings.Repeat("x", 5000)},
		{"a", "https://a.test", "\xff\xfe\xff\xfe\xff\xfe"},
	} {
		if err := s.Set(bad[0], bad[1], bad[2]); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAChangedFileIsSeen(t *testing.T) {
	dir := profileDir(t, t.TempDir(), "1")
	reader, writer := secret.OpenHome(dir), secret.OpenHome(dir)
	if all, err := reader.All(); len(all) != 0 || err != nil {
		t.Fatal(all, err)
	}
	for i, name := range []string{"a", "b", "c"} {
		if err := writer.Set(name, "https://a.test", value); err != nil {
			t.Fatal(err)
		}
		if all, err := reader.All(); len(all) != i+1 || err != nil {
			t.Fatal(all, err)
		}
	}
}
