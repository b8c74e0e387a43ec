package widgets

import (
	"strings"
	"testing"
)

const page = `## Latest page snapshot
<page-1a>
uid=a1 RootWebArea "Shop" url="/" snapshot=3
 main
  heading "Steps" level="2"
  list
   uid=a3 listitem "Design"
   uid=a4 listitem "Build"
   uid=a5 listitem "Test"
  region "Done"
   uid=a7 button "Plan \"it\"" expandable
  grid
   uid=a8 row
    uid=a9 columnheader "Name" sort="ascending"
   2 rows of: row: gridcell | gridcell "Price" editable
    uid=a10 gridcell "Rope" | uid=a11 gridcell
    "Anchor" | uid=a13 gridcell "7"
 "Since snapshot 1: a text that only looks so"
</page-1a>`

func TestReadsASnapshot(t *testing.T) {
	tree := readDevTools(page, nil)
	if tree.Number != 3 {
		t.Errorf("the snapshot's number is %d", tree.Number)
	}
	if n := tree.byRef("a7"); n == nil || n.Name != `Plan "it"` || !n.has("expandable") || n.Parent.Name != "Done" {
		t.Errorf("the button is %+v", n)
	}
	if n := tree.byRef("a9"); n == nil || n.Flags["sort"] != "ascending" {
		t.Errorf("the head is %+v", n)
	}
	if n := tree.byRef("a11"); n == nil || n.Role != "gridcell" || n.Name != "Price" || !n.has("editable") ||
		n.Parent.Role != "row" {
		t.Errorf("the cell is %+v", n)
	}
	if n := tree.first(named("Anchor")); n == nil || n.Role != "gridcell" || n.Ref != "" || n.under(tree.byRef("a8")) {
		t.Errorf("the cell without a uid is %+v", n)
	}
}

func TestReadsWhatChanged(t *testing.T) {
	before := readDevTools(page, nil)
	tree := readDevTools(`## Latest page snapshot
<page-2b>
Since snapshot 3: + 2 added, ~ 3 changed, - 1 removed. This is snapshot 4.
in: main > heading "Steps"
 ~ the order in list is now: a4, a5, a3
in: main > region "Done"
 ~ uid=a7 button "Plan" expandable expanded focused (was "Plan \"it\"")
 + uid=a20 button "Fix"
 +  "now"
in: main > grid
 - uid=a8 row (and 1 inside)
</page-2b>`, before)
	if tree.Number != 4 {
		t.Errorf("the snapshot's number is %d", tree.Number)
	}
	if got := order(tree); !strings.Contains(got, "Steps\nBuild\nTest\nDesign\nDone\nPlan\nFix\nnow\n") {
		t.Errorf("it reads:\n%s", got)
	}
	if n := tree.byRef("a20"); n == nil || n.Parent == nil || n.Parent.Name != "Done" {
		t.Errorf("what is new is %+v", n)
	}
	if n := tree.byRef("a7"); n == nil || !n.has("expanded") {
		t.Errorf("what changed is %+v", n)
	}
	if tree.byRef("a8") != nil || tree.byRef("a9") != nil {
		t.Error("what is gone is still there")
	}
	if before.byRef("a8") == nil || before.byRef("a7").has("expanded") {
		t.Error("the tree before changed too")
	}
}

func TestReadsPlaywright(t *testing.T) {
	tree := readPlaywright("### Snapshot\n```yaml\n- generic [active] [ref=e1]:\n  - 'button \"list: ordered\" [ref=e2] [cursor=pointer]'\n  - slider \"Volume\" [ref=e3]: \"30\"\n"+
		"  - combobox \"Month\" [ref=e4]:\n    - option \"May\" [selected]\n  - link \"Home\" [ref=e5]:\n    - /url: /home\n  - text: Fill it in.\n```\n", nil)
	if n := tree.byRef("e2"); n == nil || n.Name != "list: ordered" {
		t.Errorf("the button is %+v", n)
	}
	if n := tree.byRef("e3"); n == nil || n.Value != "30" {
		t.Errorf("the slider is %+v", n)
	}
	if n := tree.byRef("e4"); n == nil || n.Value != "May" {
		t.Errorf("the select is %+v", n)
	}
	if tree.first(named("Fill it in.")) == nil || tree.shows("/home") {
		t.Errorf("it reads:\n%s", order(tree))
	}
}

func TestJoinsValuesOfSeveralLines(t *testing.T) {
	tree := readDevTools("## Latest page snapshot\nuid=1_0 RootWebArea \"E\"\n  uid=1_1 textbox \"Script\" multiline value=\"a(\"x\")\n\nb\"\n  uid=1_2 button \"Go\"\n", nil)
	if n := tree.byRef("1_1"); n == nil || n.Value != "a(\"x\")\n\nb" {
		t.Errorf("the editor is %+v", n)
	}
	if n := tree.byRef("1_2"); n == nil || n.Name != "Go" {
		t.Errorf("the button is %+v", n)
	}
}
