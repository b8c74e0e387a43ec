package secret_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
	"cove/internal/secret/totp"
)

const seed = "JBSWY3DPEHPK3PXP"

func setup(t *testing.T) totp.Setup {
	t.Helper()
	s, err := totp.Parse(seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASetupKeyIsKeptLikeAPassword(t *testing.T) {
	dir := profileDir(t, t.TempDir(), "1")
	s := secret.OpenHome(dir)
	if err := s.SetTOTP("code", "https://mail.test", setup(t)); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSkew("code", 40*time.Second); err != nil {
		t.Fatal(err)
	}
	one, err := secret.OpenHome(dir).Get("code")
	if err != nil || one.Kind != secret.TOTP || one.TOTP.Skew != 40*time.Second || one.Value != "" ||
		one.Site.String() != "https://mail.test" || string(one.TOTP.Key) != string(setup(t).Key) {
		t.Fatalf("%+v %v", one, err)
	}
	list, err := s.List()
	if err != nil || len(list) != 1 || list[0].Kind != secret.TOTP {
		t.Errorf("%v %v", list, err)
	}

	r := redactor.New([]secret.Secret{one})
	raw, err := os.ReadFile(dir.Secrets())
	if err != nil || r.Text(string(raw)) != string(raw) {
		t.Errorf("the file holds the key (%v)", err)
	}
	for _, shown := range []string{seed, strings.ToLower(seed), "JBSW Y3DP EHPK 3PXP", "48656c6c6f21deadbeef",
		"otpauth://totp/a?secret=" + seed, "SGVsbG8h3q2+7w=="} {
		if got := r.Text(shown); got == shown || strings.Contains(got, "JBSW") {
			t.Errorf("%s is shown: %s", shown, got)
		}
	}

	for from, to := range map[string]string{`"kind": "totp",`: "", `"totp"`: `"command"`, "mail.test": "evil.test"} {
		changed := bytes.Replace(raw, []byte(from), []byte(to), 1)
		if bytes.Equal(changed, raw) {
			t.Fatalf("%s is not in %s", from, raw)
		}
		if err := os.WriteFile(dir.Secrets(), changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := secret.OpenHome(dir).Get("code"); fault.From(err).Code != fault.CodeSecrets {
			t.Errorf("with %q in place of %q it opens: %v", to, from, err)
		}
	}
}

func TestAClockIsThatOfOneTimeCodes(t *testing.T) {
	s := secret.OpenHome(profileDir(t, t.TempDir(), "1"))
	if err := s.Set("mail", "https://mail.test", value); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSkew("mail", time.Second); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
	if err := s.SetSkew("none", time.Second); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	wrong := setup(t)
	wrong.Skew = 2 * time.Hour
	if err := s.SetTOTP("code", "https://mail.test", wrong); fault.From(err).Field != "skew" {
		t.Error(err)
	}
}

func TestTwoProcessesChangeSecretsOneAfterTheOther(t *testing.T) {
	dir := profileDir(t, t.TempDir(), "1")
	done := make(chan error)
	names := strings.Split("abcdefghijklmnop", "")
	for _, name := range names {
		go func() { done <- secret.OpenHome(dir).Set(name, "https://a.test", value) }()
	}
	for range names {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if all, err := secret.OpenHome(dir).All(); len(all) != len(names) || err != nil {
		t.Errorf("%d secrets are left, %v", len(all), err)
	}
}
