package performance

import (
	"testing"
	"testing/synctest"

	"cove/internal/page"
	"cove/internal/page/target"
	"cove/internal/trace/report"
)

func TestReportsGoWithTheirPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing, staying := &page.Tab{Target: target.New(nil, "1", "a")}, &page.Tab{Target: target.New(nil, "2", "b")}
		var reports traceReports
		for _, tab := range []*page.Tab{closing, closing, staying} {
			reports.set(tab, report.Report{})
		}
		there := func(tab *page.Tab) bool {
			synctest.Wait()
			_, ok := reports.get(tab)
			return ok
		}

		closing.Target.End(true)
		staying.Target.End(true)
		if !there(closing) || !there(staying) {
			t.Error("a crash has dropped the report: a reload brings the page back")
		}

		closing.Target.End(false)
		if there(closing) || len(reports.byTab) != 1 {
			t.Error("the report of a closed page is still there")
		}
		if !there(staying) {
			t.Error("the report of an open page is gone")
		}
	})
}
