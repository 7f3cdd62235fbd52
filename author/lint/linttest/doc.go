// Package linttest tests checks of CustomResourceDefinitions by cases that are data, and writes
// the page that documents the checks from the same cases.
//
// A [Suite] has a base, which is a definition without findings, and one file for each check,
// with its name: observed-generation.json. The file has a bad case, in which only that check has
// findings. It also has a good case, which is as similar as possible and has no findings. Both
// are patches of the base:
//
//	{
//	  "bad": {
//	    "it": "has no observedGeneration",
//	    "crd": {"spec": {"versions": {"0": {"schema": {"openAPIV3Schema": {"properties": {"status": {"properties": {"observedGeneration": null}}}}}}}}}
//	  },
//	  "good": {"it": "has one", "crd": {}}
//	}
//
// A patch is a merge patch (RFC 7396) that may also name items of a list by their index.
// "versions" names more served versions, which are copies of the first before the patch.
// "beside" are other objects of the bundle. "declared" are the condition types of kinds. "more"
// are more cases, each with the names of the checks that it wants, in order.
//
// A package with checks of its own needs two tests:
//
//	var suite = linttest.Suite{Base: "testdata/base.json", Dir: "testdata", Checks: Checks, All: slices.Concat(lint.Checks, Checks)}
//
//	func TestCases(t *testing.T)      { suite.Test(t) }
//	func TestChecksPage(t *testing.T) { suite.ComparePage(t, "../docs/checks-mine.md", title, intro, *update) }
//
// [Run] tests cases of another form in the same way.
package linttest
