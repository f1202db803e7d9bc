// T5-COMMIT-002
// section: 9.7.16.12.1
// subject: multicast of commit
// statement: A commit with .multicast::cluster has a CTA mask, and a commit without it has none.
// why: The mask is an operand only of the multicast form.
// fix: write .multicast::cluster and a CTA mask, or neither
// unbreakable: neither IR nor PTX can spell one without the other
