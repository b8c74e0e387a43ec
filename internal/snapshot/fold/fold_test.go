package fold

import (
	"testing"

	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
)

func TestProseSaysWhereThereIsNone(t *testing.T) {
	list := make([]*item.Item, 1000)
	for i := range list {
		list[i] = &item.Item{Class: role.Textual, Role: "text", Form: item.Form{Prose: true}}
	}
	if n, few := ProseAt(list, 1); n != 0 || few != len(list) {
		t.Errorf("%d %d", n, few) // otherwise the layout would look from each text at all that follow it
	}
	list[900].Form.Links = MinLinks
	if n, few := ProseAt(list, 1); n != len(list)-1 || few != 0 {
		t.Errorf("%d %d", n, few)
	}
}
