/** What reviewers read about agencies that keep their own records. */
export const claimTexts = {
  none: 'Nobody waits to keep their own records.',
  noneNext:
    'On the page of a record, under “Is this your organization?”, people prove by an email address at its website that they are of it. You then decide here.',
  keepers: 'They keep their own records',
  check: ({ of, host }: { readonly of: string; readonly host: string }) =>
    `Somebody who reads mails at ${host} wants to keep the records of ${of}. Look whether that website is theirs alone: that of a county or a university is that of many agencies.`,
  organization: 'Organization',
  record: 'Asked on the page of',
  host: 'Proven by an address at',
  records: 'Records of theirs at this host',
  provenAt: 'Proven',
  since: 'Since',
  moved: 'The website of this record is no longer at that host, so the claim is not about it any more.',
  approve: 'Approve',
  refuse: 'Refuse',
  refuseSentence: 'They get a mail that says so. This address cannot ask again.',
  reason: 'What they should know',
  end: 'End this claim',
  endSentence: 'Their link stops at once, and their address is erased. This address cannot ask again.',
  rules: 'What they may do without you',
  rulesHint:
    'The first claim of an organization, “We closed” and a new website wait for you in any case. What they change is in the log, with the host that was proven.',
  changesAtOnce: 'What they change is shown at once',
  laterAtOnce: 'Further people at a host that you have approved need no approval',
  save: 'Save',
  yes: 'yes',
  no: 'no',
  reasonWrong: 'What they should know is too long, or has a line break. Shorten it.',
  done: {
    approve: 'It is approved. They get a mail with the link to their page.',
    refuse: 'It is refused. They get a mail.',
    end: 'It has ended. Their link works no more.',
    rules: 'It is saved.',
  },
} as const;
