package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/secret"
)

// vault is a list of secrets.
type vault []secret.Secret

func (v vault) All() ([]secret.Secret, error)     { return v, nil }
func (v vault) Get(string) (secret.Secret, error) { return v[0], nil }

func TestReportsHoldNoValuesOfFields(t *testing.T) {
	const hush = "Zw0lf-Boxer"
	c := &mcpserver.Call{Redact: redaction.New(vault{{Name: "pw", Value: hush}}, nil)}
	name := filepath.Join(t.TempDir(), "report.json")
	report := `{"snippet":"<input type=\"password\" value=\"hunter2\">","other":"\u003cinput value='hunter2'>",` +
		`"x":"` + hush + `","class":"value=\"kept\""}`
	if err := os.WriteFile(name, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cleanReports(context.Background(), c, []string{name}, ""); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(name)
	if text := string(raw); strings.Contains(text, "hunter2") || strings.Contains(text, hush) ||
		!strings.Contains(text, "kept") || !json.Valid(raw) {
		t.Error(text)
	}
}
