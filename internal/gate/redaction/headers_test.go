package redaction

import (
	"encoding/json"
	"os"
	"testing"
)

// The gate redacts headers by the same table as the whole program.
func TestTheGateRedactsByTheTableOfSensitiveHeaders(t *testing.T) {
	raw, err := os.ReadFile("../../sensitive/testdata/table.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Headers []struct {
			Name      string
			Sensitive bool
		}
	}
	if err := json.Unmarshal(raw, &table); err != nil || len(table.Headers) == 0 {
		t.Fatalf("%d headers, %v", len(table.Headers), err)
	}

	for _, c := range table.Headers {
		part := map[string]any{"headers": map[string]any{c.Name: "value"}}
		redactHeaderValues(part)
		if got := part["headers"].(map[string]any)[c.Name] == Mark; got != c.Sensitive {
			t.Errorf("header %s: %v", c.Name, got)
		}
	}
}
