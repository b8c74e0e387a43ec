package status

import (
	"testing"

	"cove/api"
	"cove/internal/fault"
)

func TestADoctorsCrossIsAnError(t *testing.T) {
	ok, cross := api.Finding{Name: "disk", OK: true}, api.Finding{Name: "browser"}
	for _, c := range []struct {
		found []api.Finding
		want  string
	}{
		{nil, ""},
		{[]api.Finding{ok, ok}, ""},
		{[]api.Finding{ok, cross}, "1 of 2 checks needs attention: browser."},
		{[]api.Finding{cross, ok, cross}, "2 of 3 checks need attention: browser, browser."},
	} {
		err := needsAttention(c.found)
		if (err == nil) != (c.want == "") || (err != nil && fault.From(err).Text != c.want) {
			t.Errorf("%v: %v, not %q", c.found, err, c.want)
		}
	}
}
