package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"cove/internal/fault"
	"cove/internal/journal"
)

// Report is what Verify has found in a file.
type Report struct {
	// Profile is the number that the profile has where the file was made, Name its name.
	Profile int
	Name    string
	Entries int
	// Sealed is how many entries were sealed with the key that Verify was given.
	Sealed      int
	Screenshots int
	// Problems holds one sentence for each problem, up to maxProblems.
	Problems []string
}

const maxProblems = 20

// KeyOf returns the key of a profile's journal; nil where there is none.
type KeyOf func(profile int) journal.Key

// Verify checks a file that Write has made: every byte, the chain of its rows, its screenshots, and the seals of its
// rows against a key. It fails if the file is not of that kind.
func Verify(file []byte, keyOf KeyOf) (Report, error) {
	d, err := read(file)
	if err != nil {
		return Report{}, err
	}
	v := &verification{key: keyOf(d.Profile)}
	v.Profile, v.Name = d.Profile, d.Name
	if !isWhole(file) {
		v.report("The file was changed after Cove wrote it.")
	}
	for _, raw := range d.Rows {
		v.checkRow(raw)
	}
	v.checkScreenshots(file, d.Omitted)
	return v.Report, nil
}

// rawData is data as it is read from a file.
type rawData struct {
	Format  int               `json:"format"`
	Profile int               `json:"profile"`
	Name    string            `json:"name"`
	Rows    []json.RawMessage `json:"rows"`
	Omitted []string          `json:"leftOut"`
}

// read finds and reads the data in a file.
func read(file []byte) (d rawData, err error) {
	_, rest, found := bytes.Cut(file, []byte(dataMark))
	raw, _, ended := bytes.Cut(rest, []byte(scriptEnd))
	if !found || !ended || json.Unmarshal(raw, &d) != nil || d.Format != format {
		return d, fault.New(fault.CodeJournal, "This is not a replay file, or it is damaged beyond reading.",
			"Export the journal again: cove journal export ID --html -o FILE")
	}
	return d, nil
}

// isWhole reports whether no byte of the file was changed. Its last line has the hash of everything before it.
func isWhole(file []byte) bool {
	at := bytes.LastIndex(file, []byte(sumMark))
	if at < 0 {
		return false
	}
	sum := sha256.Sum256(file[:at])
	return string(file[at:]) == sumMark+hex.EncodeToString(sum[:])+sumEnd
}

// verification is the state of one check: the report so far, and what the next row must be.
type verification struct {
	Report
	key         journal.Key
	next        int64  // the number that the next row must have; 0 if any
	prev        string // the hash that the next row must name; "" if any
	screenshots map[string]int64
}

func (v *verification) report(format string, args ...any) {
	if len(v.Problems) < maxProblems {
		v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
	}
}

// checkRow checks a row, or a run of rows that were left out.
func (v *verification) checkRow(raw json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		v.checkRun(raw)
		return
	}
	v.Entries++
	row, ok := journal.Parse([]byte(text))
	if !ok || !row.Intact {
		v.report("Entry %d was changed.", max(row.Seq, v.next))
		v.next, v.prev = max(row.Seq, v.next)+1, ""
		return
	}

	switch {
	case v.next != 0 && row.Seq != v.next:
		v.report("Entry %d is where entry %d should be.", row.Seq, v.next)
	case v.prev != "" && row.Prev != v.prev:
		v.report("Entry %d does not follow the one before it.", row.Seq)
	}
	if v.key != nil && v.key.Sealed(row) {
		v.Sealed++
	}
	for _, name := range []string{row.Before, row.Screenshot} {
		if name != "" {
			v.name(name, row.Seq)
		}
	}
	v.next, v.prev = row.Seq+1, row.Hash
}

func (v *verification) checkRun(raw json.RawMessage) {
	var run omitted
	if json.Unmarshal(raw, &run) != nil || run.To < run.From {
		v.report("An entry before entry %d cannot be read.", v.next)
		return
	}
	if v.next != 0 && run.From != v.next {
		v.report("Entries are missing before entry %d.", run.From)
	}
	v.next, v.prev = run.To+1, run.Hash
}

// name records that an entry names a screenshot.
func (v *verification) name(screenshot string, seq int64) {
	if v.screenshots == nil {
		v.screenshots = map[string]int64{}
	}
	if _, known := v.screenshots[screenshot]; !known {
		v.screenshots[screenshot] = seq
	}
}

// checkScreenshots checks the screenshots that the entries name.
func (v *verification) checkScreenshots(file []byte, leftOut []string) {
	for _, name := range leftOut {
		delete(v.screenshots, name)
	}
	for rest := file; ; {
		_, after, found := bytes.Cut(rest, []byte(pictureMark))
		if !found {
			break
		}
		name, after, _ := bytes.Cut(after, []byte(`">`))
		encoded, after, _ := bytes.Cut(after, []byte(scriptEnd))
		rest = after
		seq, named := v.screenshots[string(name)]
		if !named {
			continue
		}
		delete(v.screenshots, string(name))

		image, err := base64.StdEncoding.DecodeString(string(encoded))
		sum := sha256.Sum256(image)
		if hash, ok := journal.ScreenshotHash(string(name)); err != nil || !ok || hash != hex.EncodeToString(sum[:]) {
			v.report("A screenshot of entry %d was changed.", seq)
			continue
		}
		v.Screenshots++
	}
	for _, seq := range v.screenshots {
		v.report("A screenshot of entry %d is missing.", seq)
	}
}
