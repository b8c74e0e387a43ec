//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"testing"

	"cove/e2e/harness"
)

// Pages keep texts that are no proper Unicode, such as compressed data. An export and an import leave them unchanged.
func TestLocalStorageKeepsOddTexts(t *testing.T) {
	a := harness.Start(t)
	from, to := madeUp(t, a), madeUp(t, a)
	codes := func(id int, script string) (got string) {
		t.Helper()
		tab := harness.NewTab(t, a.Open(id))
		tab.Visit("http://shop.example/")
		tab.Eval(script+`; [...Array(localStorage.odd.length).keys()].map(i => localStorage.odd.charCodeAt(i)).join()`, &got)
		a.Close(id)
		return got
	}
	want := codes(from, `localStorage.odd = 'x\0\ud800y\udc00'`)
	if want != "120,0,55296,121,56320" {
		t.Fatalf("the page stored %s", want)
	}
	export := a.Get(fmt.Sprintf("/v1.0/local-storage/export/%d", from))
	harness.MustSucceed(t, export)
	list, err := json.Marshal(export.Body["localStorage"])
	if err != nil {
		t.Fatal(err)
	}
	harness.MustSucceed(t, a.Request("POST", "/v1.0/local-storage/import",
		fmt.Sprintf(`{"profileId":%d,"localStorage":%s}`, to, list)))
	if got := codes(to, "0"); got != want {
		t.Errorf("%s came back as %s", want, got)
	}

	state := a.Get(harness.StatePath(from, "/cookies?format=storageState"))
	harness.MustSucceed(t, state)
	harness.MustSucceed(t, a.Request("POST", harness.StatePath(to, "/cookies"), state.Raw))
	if got := codes(to, "0"); got != want {
		t.Errorf("%s came back from a storageState as %s", want, got)
	}
}
