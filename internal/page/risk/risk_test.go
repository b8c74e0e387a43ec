package risk

import (
	"errors"
	"fmt"
	"testing"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/page/remote"
	"cove/internal/page/target"
	"cove/internal/sensitive"
)

// An action on a page that cannot be read needs an approval. An action that is impossible needs none.
func TestAPageThatCannotBeReadIsUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		err     error
		unknown bool
	}{
		"the page does not answer":        {fmt.Errorf("click: %w", target.ErrNoAnswer), true},
		"the page replaces its document":  {dom.ErrRestless, true},
		"our script throws":               {&remote.ScriptError{}, true},
		"the browser does not find it":    {&cdp.Error{Code: -32000, Message: "Cannot find context"}, true},
		"the element is gone":             {fault.Quote(fault.CodeUID, "The element is gone.", ""), false},
		"the tab is closed":               {target.ErrClosed, false},
		"the tab has crashed":             {target.ErrCrashed, false},
		"a dialog is open":                {&target.DialogOpen{}, false},
		"the caller does not wait for it": {errors.New("context canceled"), false},
	} {
		r, err := (&Assessor{}).unread(dom.Element{Role: "button", Name: "Send"}, c.err)
		if c.unknown && (err != nil || r != Submit{Kind: sensitive.Unknown, What: `button "Send"`}) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if !c.unknown && !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if r, _ := (&Assessor{}).unread(dom.Element{}, target.ErrNoAnswer); r.What != "element" {
		t.Errorf("an element without a role: %q", r.What)
	}
}
