// What the search puts first: a page's title and its index words, then its sections;
// the chapters before the lists of claims and of functions.
const LISTS = /^book\/(claims|api|references|conformance|words)/;
var Scorer = {
  score: (found) => found[4] - (LISTS.test(found[0]) ? 12 : 0),
  objNameMatch: 11, objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
