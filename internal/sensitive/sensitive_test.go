package sensitive_test

import (
	"encoding/json"
	"os"
	"testing"

	"cove/internal/sensitive"
)

// table is the list of cases that the gate, the tools and the page scripts are held to as well (see e2e).
func table(t *testing.T) (all struct {
	Fields []struct {
		Type, Autocomplete, Name, ID string
		Kind                         sensitive.Kind
	}
	Headers []struct {
		Name      string
		Sensitive bool
	}
	Hosts []struct {
		Host    string
		Payment bool
	}
}) {
	t.Helper()
	text, err := os.ReadFile("testdata/table.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTable(t *testing.T) {
	all := table(t)

	for _, c := range all.Fields {
		f := sensitive.Field{Type: c.Type, Autocomplete: c.Autocomplete, Name: c.Name, ID: c.ID}
		if got := f.Kind(); got != c.Kind {
			t.Errorf("%+v is %q, not %q", f, got, c.Kind)
		}
	}
	for _, c := range all.Headers {
		if got := sensitive.Header(c.Name); got != c.Sensitive {
			t.Errorf("header %q: %v", c.Name, got)
		}
	}
	for _, c := range all.Hosts {
		if got := sensitive.PaymentHost(c.Host); got != c.Payment {
			t.Errorf("host %q: %v", c.Host, got)
		}
	}
}

func TestWorst(t *testing.T) {
	for _, c := range []struct {
		kinds []sensitive.Kind
		want  sensitive.Kind
	}{
		{nil, sensitive.None},
		{[]sensitive.Kind{sensitive.None, sensitive.None}, sensitive.None},
		{[]sensitive.Kind{sensitive.None, sensitive.Unknown}, sensitive.Unknown},
		{[]sensitive.Kind{sensitive.Unknown, sensitive.Payment, sensitive.None}, sensitive.Payment},
		{[]sensitive.Kind{sensitive.Code, sensitive.Password}, sensitive.Password},
	} {
		if got := sensitive.Worst(c.kinds); got != c.want {
			t.Errorf("%q: %q, not %q", c.kinds, got, c.want)
		}
	}
}

func TestHidden(t *testing.T) {
	for kind, want := range map[sensitive.Kind]bool{
		sensitive.None: false, sensitive.Payment: false, sensitive.Password: true, sensitive.Code: false,
		sensitive.Unknown: true,
	} {
		if kind.Hidden() != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
}
