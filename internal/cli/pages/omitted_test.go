package pages

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/answer"
	"cove/internal/cli/command"
)

const (
	leftOutLine = "Left out to stay within maxTokens=20000: 8585 other nodes. More: take_snapshot with uid=… of a part, " +
		"query=\"words\", interactiveOnly=true or maxTokens=173000.\n"
	notReadLine = "The page is larger than what was read of it: 7 nodes are missing here; query=\"words\" searches " +
		"them too.\n"
)

// snapshotAnswer is the answer to a snapshot with so many lines and these at its end.
func snapshotAnswer(lines int, end string) answer.Answer {
	text := "uid=a1 RootWebArea \"Shop\"\n" + strings.Repeat(" uid=a2 link \"Left out to stay within\"\n", lines) + end
	return answer.Answer{Parts: []answer.Part{{Kind: answer.Snapshot, Text: text}}}
}

// What a snapshot leaves out is said in a line of Cove's, in the words of the shell.
func TestASnapshotSaysWhatItLeavesOut(t *testing.T) {
	got := terse(snapshotAnswer(1, leftOutLine+notReadLine), headNone)
	want := "\nleft out: 8585 other nodes; -m 173000 shows all, -o FILE writes all, -q TEXT, -u REF and -i show a part\n" +
		"left out: 7 nodes that were not read; -o FILE writes them, -q TEXT searches them\n"
	if !strings.HasSuffix(got, want) || strings.Contains(got, "maxTokens") {
		t.Errorf("printed\n%s", got)
	}
	if got := terse(snapshotAnswer(1, ""), headNone); strings.Contains(got, "left out") {
		t.Errorf("nothing was left out:\n%s", got)
	}
	got = terse(snapshotAnswer(1, "  … 5 more rows (take_snapshot uid=a4 maxTokens=3000 or query=… shows them)"), headNone)
	if !strings.HasSuffix(got, "  … 5 more rows (-u a4 -m 3000 or -q TEXT shows them)\n") {
		t.Errorf("rows: %s", got)
	}
}

func TestALongOutputSaysWhatItLeavesOut(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	r := newRunner(&command.Env{Out: &out})
	if err := r.print(snapshotAnswer(2000, leftOutLine), plan{head: headNone}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "\ncut: ") || !strings.Contains(got, "\nleft out: 8585 other nodes; -m") {
		t.Errorf("printed\n%s", got[max(0, len(got)-400):])
	}
}

func TestAFileSaysWhatItLeavesOut(t *testing.T) {
	var out bytes.Buffer
	r := newRunner(&command.Env{Out: &out})
	a := snapshotAnswer(3, leftOutLine)
	a.Out = filepath.Join(t.TempDir(), "page.txt")
	if err := r.print(a, plan{head: headNone}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(a.Out)
	if err != nil || strings.Contains(string(raw), "maxTokens") || bytes.Count(raw, []byte("\n")) != 4 {
		t.Errorf("the file has %v\n%s", err, raw)
	}
	if got := out.String(); !strings.Contains(got, " 4 lines\nleft out: 8585 other nodes; ") {
		t.Errorf("printed\n%s", got)
	}
}
