package markup

import (
	"encoding/json"
	"os"
	"testing"

	"cove/internal/sensitive"
)

// The gate judges fields by the same table as the whole program.
func TestTheGateJudgesByTheTableOfSensitiveFields(t *testing.T) {
	raw, err := os.ReadFile("../../sensitive/testdata/table.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Fields []struct {
			Type, Autocomplete, Name, ID string
			Kind                         sensitive.Kind
		}
	}
	if err := json.Unmarshal(raw, &table); err != nil || len(table.Fields) == 0 {
		t.Fatalf("%d fields, %v", len(table.Fields), err)
	}

	for _, c := range table.Fields {
		texts := []string{"type", c.Type, "AutoComplete", c.Autocomplete, "name", c.Name, "id", c.ID}
		got := AttributesOf(len(texts), func(i int) string { return texts[i] }).Field().Kind()
		if got != c.Kind {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
