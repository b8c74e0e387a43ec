//go:build unix

package keeper

import (
	"testing"

	"cove/internal/keeperclient"
	"cove/internal/secret"
	"cove/internal/session"
)

func TestAgentsLearnTheNamesOfSecrets(t *testing.T) {
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	l.until(session.Open)
	if all, err := l.Secrets(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := secret.OpenHome(l.dir).Set("mail", "https://mail.test", "hunter2-hunter2"); err != nil {
		t.Fatal(err)
	}
	want := keeperclient.Secret{Name: "mail", Kind: "password", Site: "https://mail.test"}
	if all, err := l.Secrets(t.Context()); err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("%+v, %v", all, err)
	}
	if err := l.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = l.end()
}
