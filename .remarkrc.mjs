import remarkValidateLinks from 'remark-validate-links';

const repository = 'n8n-nodes-payment-collection/n8n-nodes-payment-collection';

/** Links have a file and a heading. Names the repository, since a clone may have any remote, or none. */
export default { plugins: [[remarkValidateLinks, { repository }]] };
